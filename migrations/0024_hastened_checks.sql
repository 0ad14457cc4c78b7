-- When news of reports last had a domain checked, or will have it checked, for each kind of news: at most once an hour.
alter table domain
  add column selector_check_at timestamptz,             -- a selector became known
  add column report_check_at   timestamptz,             -- the first report arrived
  add column policy_check_at   timestamptz,             -- a report says another policy than was read
  add column check_again_at    timestamptz;             -- the next of these: a check that began before does not count
update domain d set report_check_at = now() from domain_total t
where t.org_id = d.org_id and t.domain_id = d.id and t.reports > 0;
