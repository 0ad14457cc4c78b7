-- PostgreSQL writes a row in place, without new entries in any index, only where no column changes that an index of its
-- table has, be it in a condition. The figures of a known source change with each report, so the indexes that lists are
-- read by have copies of them, which are null in a short list and never change there. Both tables are written anew.
drop index source_total_by_messages, source_total_by_first_seen, source_total_by_last_seen, source_total_by_compliance,
  source_total_by_auth_failures, source_total_by_domains, source_total_by_last_day, source_total_failing_by_standing,
  source_domain_by_messages;

alter table source_total
  add column sort_messages bigint generated always as (case when indexed then messages end) stored,
  add column sort_first_seen timestamptz generated always as (case when indexed then first_seen end) stored,
  add column sort_last_seen timestamptz generated always as (case when indexed then last_seen end) stored,
  add column sort_compliance integer generated always as (case when indexed then compliance end) stored,
  add column sort_auth_failures bigint generated always as (case when indexed then auth_failures end) stored,
  add column sort_domains integer generated always as (case when indexed then domains end) stored,
  add column sort_last_day date generated always as (case when indexed and reports > 0 then last_day end) stored,
  add column has_failures boolean generated always as (auth_failures > 0) stored;
create index source_total_by_messages on source_total (org_id, sort_messages, source_ip) where indexed;
create index source_total_by_first_seen on source_total (org_id, sort_first_seen, source_ip) where indexed;
create index source_total_by_last_seen on source_total (org_id, sort_last_seen, source_ip) where indexed;
create index source_total_by_compliance on source_total (org_id, sort_compliance, source_ip) where indexed;
create index source_total_by_auth_failures on source_total (org_id, sort_auth_failures, source_ip) where indexed;
create index source_total_by_domains on source_total (org_id, sort_domains, source_ip) where indexed;
create index source_total_by_last_day on source_total (org_id, sort_last_day) where sort_last_day is not null;
create index source_total_failing_by_standing on source_total (org_id, abuse_status, service_slug) where has_failures;

-- The list of a domain is as long as that of its organization may be. In a short one its sources are found by an index
-- whose entries are equal, so that PostgreSQL stores them once.
alter table source_domain add column indexed boolean not null default false;
update source_domain set indexed = true where org_id in (select org_id from org_total where sources_indexed);
alter table source_domain alter column indexed set default true;
alter table source_domain
  add column sort_messages bigint generated always as (case when indexed then messages end) stored;
create index source_domain_by_messages on source_domain (org_id, domain_id, sort_messages, source_ip) where indexed;
create index source_domain_of_domain on source_domain (org_id, domain_id);
