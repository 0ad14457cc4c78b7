-- Hundredths of a percent, rounded half up; 100 % only when nothing failed, 0 % only when nothing passed.
create function compliance_of(part bigint, whole bigint) returns integer
  language sql immutable parallel safe
  return case
    when whole = 0 or part = 0 then 0
    when part = whole then 10000
    else least(9999, greatest(1, div(20000::numeric * part + whole, 2::numeric * whole)))::integer
  end;

-- The newer report's spelling of an address (null: the canonical one); of two as new, always the same.
create function newer_text(seen_a timestamptz, text_a text, seen_b timestamptz, text_b text) returns text
  language sql immutable parallel safe
  return case
    when coalesce(seen_a, '-infinity') > coalesce(seen_b, '-infinity') then text_a
    when coalesce(seen_a, '-infinity') < coalesce(seen_b, '-infinity') then text_b
    else greatest(text_a, text_b)
  end;

-- What is counted, kept exact by the transaction that stores a report. Sums of messages are named by what they are of;
-- forwarded, suspicious and needs_review are failing messages by class, so they are inside messages - compliant.
create table source_domain_day (
  org_id       uuid   not null,
  source_ip    inet   not null,
  day          date   not null,
  domain_id    uuid   not null,
  reports      bigint not null,
  messages     bigint not null,
  compliant    bigint not null,
  spf_pass     bigint not null,
  dkim_pass    bigint not null,
  forwarded    bigint not null default 0,
  suspicious   bigint not null default 0,
  needs_review bigint not null default 0,
  first_seen   timestamptz,
  last_seen    timestamptz,
  primary key (org_id, source_ip, day, domain_id)
) with (fillfactor = 80);
create index source_domain_day_of_domain on source_domain_day (org_id, domain_id, day, source_ip);

create table source_domain (
  org_id       uuid   not null,
  source_ip    inet   not null,
  domain_id    uuid   not null,
  reports      bigint not null,
  messages     bigint not null,
  compliant    bigint not null,
  spf_pass     bigint not null,
  dkim_pass    bigint not null,
  forwarded    bigint not null default 0,
  suspicious   bigint not null default 0,
  needs_review bigint not null default 0,
  first_seen   timestamptz,
  last_seen    timestamptz,
  primary key (org_id, source_ip, domain_id)
) with (fillfactor = 80);
create index source_domain_by_messages on source_domain (org_id, domain_id, messages, source_ip);

create table source_total (
  org_id        uuid    not null,
  source_ip     inet    not null,
  source_text   text,                                  -- the newest report's spelling, where it is not the canonical one
  domains       integer not null,
  reports       bigint  not null,
  messages      bigint  not null,
  compliant     bigint  not null,
  spf_pass      bigint  not null,
  dkim_pass     bigint  not null,
  auth_failures bigint  not null,                      -- messages without aligned SPF plus messages without aligned DKIM
  compliance    integer not null,                      -- hundredths of a percent
  forwarded     bigint  not null default 0,
  suspicious    bigint  not null default 0,
  needs_review  bigint  not null default 0,
  first_seen    timestamptz,
  last_seen     timestamptz,
  primary key (org_id, source_ip)
) with (fillfactor = 80);
create index source_total_by_messages on source_total (org_id, messages, source_ip);
create index source_total_by_first_seen on source_total (org_id, first_seen, source_ip);
create index source_total_by_last_seen on source_total (org_id, last_seen, source_ip);
create index source_total_by_compliance on source_total (org_id, compliance, source_ip);
create index source_total_by_auth_failures on source_total (org_id, auth_failures, source_ip);
create index source_total_by_domains on source_total (org_id, domains, source_ip);
create index source_total_like_text on source_total using gin (org_id, source_text gin_trgm_ops) where source_text is not null;

-- Addresses ever seen, for searching by a part of one: apart from the figures, because these change all the time and
-- would have every part of the address written anew.
create table source_address (
  org_id    uuid not null,
  source_ip inet not null,
  primary key (org_id, source_ip)
);
create index source_address_like on source_address using gin (org_id, host(source_ip) gin_trgm_ops);

create table domain_day (
  org_id    uuid   not null,
  domain_id uuid   not null,
  day       date   not null,
  reports   bigint not null,
  messages  bigint not null,
  compliant bigint not null,
  spf_pass  bigint not null,
  dkim_pass bigint not null,
  forwarded bigint not null default 0,
  primary key (org_id, domain_id, day)
) with (fillfactor = 70);

create table org_day (
  org_id    uuid   not null,
  day       date   not null,
  reports   bigint not null,
  messages  bigint not null,
  compliant bigint not null,
  spf_pass  bigint not null,
  dkim_pass bigint not null,
  forwarded bigint not null default 0,
  primary key (org_id, day)
) with (fillfactor = 70);

create table domain_total (
  org_id          uuid   not null,
  domain_id       uuid   not null,
  reports         bigint not null,
  messages        bigint not null,
  compliant       bigint not null,
  spf_pass        bigint not null,
  dkim_pass       bigint not null,
  sources         bigint not null default 0,
  failing_sources bigint not null default 0,           -- sources with a message that lacked aligned SPF or DKIM
  primary key (org_id, domain_id)
) with (fillfactor = 50);

create table org_total (
  org_id          uuid   not null,
  reports         bigint not null,
  messages        bigint not null,
  compliant       bigint not null,
  spf_pass        bigint not null,
  dkim_pass       bigint not null,
  domains         bigint not null default 0,           -- domains that reports are about
  sources         bigint not null default 0,
  failing_sources bigint not null default 0,
  primary key (org_id)
) with (fillfactor = 50);

-- How many reports there are, for exact totals of filtered lists.
create table report_count_day (
  org_id    uuid   not null,
  domain_id uuid   not null,
  end_day   date   not null,
  begin_day date   not null,
  result    text   not null,
  reports   bigint not null,
  primary key (org_id, domain_id, end_day, begin_day, result)
) with (fillfactor = 70);

create table org_report_count_day (
  org_id    uuid   not null,
  end_day   date   not null,
  begin_day date   not null,
  result    text   not null,
  reports   bigint not null,
  primary key (org_id, end_day, begin_day, result)
) with (fillfactor = 70);

create table report_count_reporter (
  org_id      uuid   not null,
  reporter_id uuid   not null,
  domain_id   uuid   not null,
  result      text   not null,
  reports     bigint not null,
  primary key (org_id, reporter_id, domain_id, result)
) with (fillfactor = 70);

-- Keys of the lowest level whose figures must be computed again, with all levels above them, after a report was replaced
-- or deleted.
create table rollup_dirty (
  org_id    uuid        not null,
  source_ip inet        not null,
  day       date        not null,
  domain_id uuid        not null,
  since     timestamptz not null default now(),
  primary key (org_id, source_ip, day, domain_id)
);
