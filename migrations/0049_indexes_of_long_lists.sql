-- The list of an organization's sources is read in the order of an index only where it is long: a short one is sorted in
-- milliseconds, and each new or changed source made an entry in six indexes. Rows of a short list are left out of them.
-- A row that is in them is right in any list, so the rows of older processes are; existing organizations keep theirs.
alter table source_total add column indexed boolean not null default true;
alter table org_total add column sources_indexed boolean not null default true;
alter table org_total alter column sources_indexed set default false;

drop index source_total_by_messages, source_total_by_first_seen, source_total_by_last_seen, source_total_by_compliance,
  source_total_by_auth_failures, source_total_by_domains;
create index source_total_by_messages on source_total (org_id, messages, source_ip) where indexed;
create index source_total_by_first_seen on source_total (org_id, first_seen, source_ip) where indexed;
create index source_total_by_last_seen on source_total (org_id, last_seen, source_ip) where indexed;
create index source_total_by_compliance on source_total (org_id, compliance, source_ip) where indexed;
create index source_total_by_auth_failures on source_total (org_id, auth_failures, source_ip) where indexed;
create index source_total_by_domains on source_total (org_id, domains, source_ip) where indexed;
