-- Who we serve: organizations with their plan, the people who own keys, and the keys.
create table plan (
  code         text primary key,
  hourly_quota bigint check (hourly_quota > 0),        -- null: no quota
  api          boolean not null default true
);
insert into plan (code) values ('standard');

create table organization (
  id               uuid        primary key,
  name             text        not null unique,
  plan             text        not null default 'standard' references plan,
  report_addresses text[]      not null default '{}',  -- what "reports to us" means
  created_at       timestamptz not null default now(),
  suspended_at     timestamptz
);

create table app_user (
  org_id     uuid        not null references organization on delete cascade,
  id         uuid        not null,
  email      text        not null,
  role       text        not null check (role in ('owner', 'admin', 'analyst', 'viewer', 'integration')),
  created_at timestamptz not null default now(),
  removed_at timestamptz,                              -- a removed owner's keys allow nothing
  primary key (org_id, id),
  unique (org_id, email)
);

create table api_key (
  org_id        uuid        not null references organization on delete cascade,
  id            uuid        not null,
  prefix        text        not null unique,           -- public part; the one look-up before the organization is known
  secret_sha256 bytea       not null,
  last_four     text        not null,
  scope         text        not null check (scope in ('read', 'full', 'ingest')),
  owner_id      uuid,
  name          text        not null default '',
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_day date,
  primary key (org_id, id),
  foreign key (org_id, owner_id) references app_user (org_id, id)
);
