-- The other kinds of reports: on TLS sessions (RFC 8460), on placement (APRF), on single failures (RFC 9991). Of copies
-- that differ the one received last is held. None of them is in a rollup.
create table tlsrpt_report (
  org_id         uuid        not null,
  id             uuid        not null,
  identity       bytea       not null,                 -- reporter, report id, window
  reporter_name  text,
  report_id      text,
  contact        text,
  date_begin     timestamptz,
  date_end       timestamptz,
  day            date        not null,
  domains        text[]      not null,                 -- that its policies are of
  successes      bigint      not null,                 -- sessions
  failures       bigint      not null,
  policies       jsonb       not null,                 -- in order; their failures are rows of tlsrpt_failure
  warnings       jsonb       not null,
  payload_sha256 bytea       not null,
  message_id     uuid        not null,
  document       text        not null,                 -- path inside the delivery
  received_at    timestamptz not null,                 -- by mail where it is mail
  primary key (org_id, id),
  unique (org_id, identity)
);
create index tlsrpt_report_by_day on tlsrpt_report (org_id, day, id);

create table tlsrpt_failure (
  org_id         uuid    not null,
  report_id      uuid    not null,
  position       integer not null,
  policy         integer not null,                     -- index into policies
  domain         text,
  result_type    text,
  sending_ip     inet,
  receiving_ip   inet,
  receiving_host text,
  receiving_helo text,
  sessions       bigint,
  reason_code    text,
  information    text,
  primary key (org_id, report_id, position)
);

create table aprf_report (
  org_id         uuid        not null,
  id             uuid        not null,
  identity       bytea       not null,                 -- source, domain, selector, day, version, sdi_used
  source         text        not null,
  dkim_domain    text        not null,                 -- '*.' before it: subdomains rolled up
  dkim_selector  text        not null,
  day            date        not null,
  version        text        not null,
  sdi_used       text        not null,
  extra_info     text        not null,
  contact        text,
  date_begin     timestamptz not null,
  date_end       timestamptz,
  warnings       jsonb       not null,
  payload_sha256 bytea       not null,
  message_id     uuid        not null,
  document       text        not null,
  received_at    timestamptz not null,
  primary key (org_id, id),
  unique (org_id, identity)
);
create index aprf_report_of_domain on aprf_report (org_id, dkim_domain, day);

-- One row per entry of the body. Values are upper bounds: never added up.
create table aprf_row (
  org_id         uuid    not null,
  report_id      uuid    not null,
  position       integer not null,
  segment        text[]  not null,
  classification jsonb,                                -- [{category, value}] in document order; null when absent
  engagement     jsonb,
  primary key (org_id, report_id, position)
);

-- What a failure report says of one message, redacted: of addresses only the domain, of the message nothing.
create table failure_report (
  org_id                 uuid        not null,
  id                     uuid        not null,
  reported_domain        text,
  source_ip              inet,
  arrived_at             timestamptz,
  incidents              integer     not null,
  auth_failure           text,
  identity_alignment     text[],
  delivery_result        text,
  dkim_domains           text[]      not null,
  dkim_selector          text,
  dkim_identity_domain   text,
  mail_from_domain       text,
  rcpt_to_domains        text[]      not null,
  authentication_results text,
  version                text,
  user_agent             text,
  reporting_mta          text,
  warnings               jsonb       not null,
  payload_sha256         bytea       not null,
  message_id             uuid        not null,
  document               text        not null,
  received_at            timestamptz not null,
  primary key (org_id, id),
  unique (org_id, payload_sha256)
);
create index failure_report_of_domain on failure_report (org_id, reported_domain, received_at, id);
