-- To whom a report in a shared mailbox belongs is asked across organizations: by address, and by monitored name.
update organization set report_addresses = array(
  select left(a, length(a) - length(split_part(a, '@', -1))) || lower(split_part(a, '@', -1))
  from unnest(report_addresses) with ordinality as t (a, i) order by i);
create index organization_report_address on organization using gin (report_addresses);
create index domain_monitored_by_person on domain (name) where monitored and source in ('manual', 'both');

-- A report that is to be read again from its raw bytes waits like one that is to be judged.
alter table unjudged_report drop constraint unjudged_report_step_check;
alter table unjudged_report add constraint unjudged_report_step_check check (step in ('reread', 'align', 'classify'));
