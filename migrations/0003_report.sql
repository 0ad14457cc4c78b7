-- Aggregate reports: one counted copy for each identity (organization, reporter, policy domain, report id, window).
create table domain (
  org_id           uuid        not null references organization on delete cascade,
  id               uuid        not null,
  name             text        not null collate "C",   -- normalized
  monitored        boolean     not null default true,
  source           text        not null check (source in ('manual', 'auto', 'both')),
  dmarc_state      text        not null default 'pending',
  tlsrpt_enabled   boolean     not null default false,
  tlsrpt_state     text        not null default 'pending',
  forensic_enabled boolean     not null default false,
  forensic_state   text        not null default 'pending',
  aprf_enabled     boolean     not null default false,
  aprf_state       text        not null default 'pending',
  verified_at      timestamptz,
  created_at       timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);

create table reporter (
  org_id uuid not null references organization on delete cascade,
  id     uuid not null,
  name   text not null,                                -- org_name as sent; empty when the report names nobody
  primary key (org_id, id),
  unique (org_id, name)
);

create table report (
  org_id         uuid        not null,
  id             uuid        not null,
  identity       bytea       not null,
  domain_id      uuid        not null,
  reporter_id    uuid        not null,
  domain         text        not null collate "C",
  reporter_name  text        collate "C",
  report_id      text        collate "C",
  date_begin     timestamptz,
  date_end       timestamptz,
  begin_day      date        not null,                 -- -infinity without a begin
  end_day        date        not null,                 -- infinity without an end
  day            date        not null,                 -- the day that its figures count on
  received_at    timestamptz not null,
  records        integer     not null,
  messages       bigint      not null,
  compliant      bigint      not null,
  spf_pass       bigint      not null,
  dkim_pass      bigint      not null,
  compliance     integer     not null,                 -- hundredths of a percent
  result         text        not null check (result in ('none', 'pass', 'fail')),
  spf_only       integer     not null,
  dkim_only      integer     not null,
  both_failed    integer     not null,
  policy_p       text        not null,
  metadata       jsonb       not null,
  policy         jsonb       not null,
  payload_sha256 bytea       not null,                 -- the copy that is counted
  primary key (org_id, id),
  unique (org_id, identity)
) with (fillfactor = 90);
create index report_by_date_end on report (org_id, date_end, id);
create index report_by_received on report (org_id, received_at, id);
create index report_by_reporter on report (org_id, lower(reporter_name), id) include (reporter_name);
create index report_by_domain on report (org_id, domain, id);
create index report_by_messages on report (org_id, messages, id);
create index report_by_report_id on report (org_id, lower(report_id), id) include (report_id);
create index report_by_compliance on report (org_id, compliance, id);
create index report_of_domain on report (org_id, domain_id, date_end, id);
create index report_of_reporter on report (org_id, reporter_id, date_end, id);
create extension if not exists pg_trgm;
create extension if not exists btree_gin;               -- so that a term is looked up within its organization
create index report_like_report_id on report using gin (org_id, report_id gin_trgm_ops);

-- Every differing copy of a report ever received; the report row names the one that is counted.
create table report_revision (
  org_id           uuid        not null,
  report_id        uuid        not null,
  payload_sha256   bytea       not null,
  message_id       uuid        not null,
  document         text        not null,               -- path inside the delivery
  authenticated    boolean,                            -- the mail passed as the reporter; null when nothing tells
  mail_received_at timestamptz,
  received_at      timestamptz not null,
  settled          boolean     not null,               -- compared with the other copies
  primary key (org_id, report_id, payload_sha256)
);
create index report_revision_unsettled on report_revision (received_at) where not settled;

-- One row per <record>, in the reporter's order.
create table report_record (
  org_id        uuid    not null,
  report_id     uuid    not null,
  position      integer not null,
  day           date    not null,
  domain_id     uuid    not null,
  source_ip     inet    not null,
  source_text   text,                                  -- the reporter's spelling, where it is not the canonical one
  messages      bigint  not null check (messages >= 0),
  disposition   text    not null,
  dkim_pass     boolean not null,
  spf_pass      boolean not null,
  header_from   text    not null,
  envelope_from text,
  envelope_to   text,
  reasons       jsonb,
  dkim_results  jsonb,
  spf_results   jsonb,
  dkim_aligned  boolean[],
  spf_aligned   boolean[],
  class         text check (class in ('authenticated', 'likely_forwarded', 'suspicious', 'needs_review')),
  primary key (org_id, report_id, position, day)
) with (fillfactor = 80);
create index report_record_by_source on report_record (org_id, source_ip, day, report_id);

create table parse_warning (
  org_id    uuid    not null,
  report_id uuid    not null,
  position  integer not null,
  code      text    not null,
  detail    text,
  primary key (org_id, report_id, code)
);

-- Reports whose records still wait for a judgement; what the sweep looks for.
create table unjudged_report (
  org_id    uuid        not null,
  report_id uuid        not null,
  step      text        not null check (step in ('align', 'classify')),
  since     timestamptz not null default now(),
  primary key (org_id, report_id)
);
create index unjudged_report_by_age on unjudged_report (since);
