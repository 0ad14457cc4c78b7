-- People who sign in to the pages. A person is a member of every organization that has an app_user of the same address,
-- with the role given there.
create table person (
  id              uuid        primary key,
  email           text        not null unique check (email = lower(email)),
  password_hash   text,                                  -- PHC string; null: signs in by link or by the identity provider
  password_set_at timestamptz,
  created_at      timestamptz not null default now()
);
create index app_user_email on app_user (lower(email)) where removed_at is null;

create table session (
  token_sha256 bytea       primary key,                  -- the token itself is only in the browser's cookie
  id           uuid        not null unique,
  person_id    uuid        not null references person on delete cascade,
  chosen_org   uuid,                                     -- the organization looked at last
  signed_in_by text        not null check (signed_in_by in ('link', 'password', 'oidc')),
  user_agent   text        not null default '',
  address      text        not null default '',
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at   timestamptz not null
);
create index session_person on session (person_id);
create index session_expiry on session (expires_at);

create table sign_in_link (
  token_sha256 bytea       primary key,
  person_id    uuid        not null references person on delete cascade,
  purpose      text        not null check (purpose in ('sign_in', 'invitation', 'password_reset')),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index sign_in_link_person on sign_in_link (person_id);
create index sign_in_link_expiry on sign_in_link (expires_at);

-- Attempts to sign in, by account and by network, in windows of 15 minutes.
create table sign_in_attempt (
  subject      text        not null,
  window_begin timestamptz not null,
  attempts     integer     not null,
  primary key (subject, window_begin)
);
create index sign_in_attempt_window on sign_in_attempt (window_begin);

-- The organizations of a person. The role of the pages sees the rows of one organization at a time, and needs this list
-- before it knows which.
create function memberships_of(address text) returns table (org_id uuid, org_name text, user_id uuid, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select u.org_id, o.name, u.id, u.role
  from app_user u join organization o on o.id = u.org_id
  where lower(u.email) = lower(address) and u.removed_at is null and o.suspended_at is null and o.removed_at is null
  order by o.name;
end;
revoke all on function memberships_of(text) from public;

-- A domain's page shows its own events.
create index event_of_domain on event (org_id, domain, created_at desc, id desc);

-- What lets the pages pass an upload on to the ingester in the name of an organization, for a short time.
create table upload_ticket (
  org_id       uuid        not null references organization on delete cascade,
  token_sha256 bytea       not null,
  expires_at   timestamptz not null,
  primary key (org_id, token_sha256)                     -- a ticket names its organization
);
alter table upload_ticket enable row level security;
create policy own_organization on upload_ticket using (org_id = (select current_organization()));
