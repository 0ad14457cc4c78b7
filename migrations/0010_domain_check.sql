-- What domains publish: when each is to be looked at again, what was found last, and every change of it.
alter table domain
  add column verified_source text check (verified_source in ('self', 'inherited')), -- while the verification stands
  add column inherited_from  text,                     -- with an inherited one
  add column checked_at      timestamptz,
  add column check_failures  smallint    not null default 0, -- in a row, without an answer
  add column check_due_at    timestamptz not null default now(), -- when to look again; while planned, when to plan it anew
  add column check_planned   boolean     not null default false,
  add column health_due_at   timestamptz not null default now(); -- when its health is computed again
create index domain_check_due on domain (check_due_at) where monitored;
create index domain_health_due on domain (health_due_at) where monitored;

-- The newest finding about each protocol, and each verification state, of a domain.
create table domain_check (
  org_id         uuid        not null,
  domain_id      uuid        not null,
  subject        text        not null,                 -- a protocol, mx, or dmarc_state, tlsrpt_state, forensic_state, aprf_state
  status         text        not null,
  details        text        not null default '',
  has_record     boolean     not null,
  records        text[]      not null default '{}',    -- as they were seen
  notes          text[]      not null default '{}',
  inherited_from text,
  policy         jsonb,                                -- of dmarc: what applies to the domain itself
  checked_at     timestamptz not null,
  changed_at     timestamptz not null,
  verified_at    timestamptz,                          -- of a state: since when it is verified
  failures       smallint    not null default 0,       -- of a state: checks in a row that found out nothing
  failed_at      timestamptz,
  primary key (org_id, domain_id, subject),
  foreign key (org_id, domain_id) references domain on delete cascade
);

create table domain_check_change (
  org_id    uuid        not null,
  domain_id uuid        not null,
  id        uuid        not null,
  subject   text        not null,
  at        timestamptz not null,
  before    text,                                      -- null: the first finding
  status    text        not null,
  details   text        not null,
  records   text[]      not null,
  primary key (org_id, domain_id, id),
  foreign key (org_id, domain_id) references domain on delete cascade
);

-- Signatures seen in a domain's reports: whose keys are looked up.
create table dkim_selector (
  org_id    uuid   not null,
  domain_id uuid   not null,
  signer    text   not null collate "C",
  selector  text   not null collate "C",
  messages  bigint not null,                           -- about: a job that ran twice has counted twice
  last_day  date   not null,
  primary key (org_id, domain_id, signer, selector)
);

-- A domain's health as it is served, computed when something of it has changed.
create table domain_health (
  org_id      uuid        not null,
  domain_id   uuid        not null,
  body        jsonb       not null,
  computed_at timestamptz not null,
  primary key (org_id, domain_id),
  foreign key (org_id, domain_id) references domain on delete cascade
);
