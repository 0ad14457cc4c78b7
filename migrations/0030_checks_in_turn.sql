-- Checks of domains are planned in turns between the organizations: the most overdue ones of each are found by index.
create index domain_check_due_of_org on domain (org_id, check_due_at) where monitored;
