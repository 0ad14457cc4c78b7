-- Healths that have been handed to the queue and not been computed since, so that they can be counted.
alter table domain add column health_planned boolean not null default false;
create index domain_health_planned on domain (health_due_at) where monitored and health_planned;
create index domain_check_planned on domain (check_due_at) where monitored and check_planned;

-- What stands though a later check could not see it, or need not look again.
alter table domain_check
  add column policy_read_at timestamptz, -- of dmarc: when the policy was read in the DNS
  add column kept           jsonb;       -- of mta_sts: the policy that was fetched last, its id, and when
update domain_check set policy_read_at = checked_at where policy is not null;
