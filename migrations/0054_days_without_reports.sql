-- What became of the mail of a day goes with the last report about it. Of a domain that was not monitored any more it
-- stayed.
delete from enforcement_day e where not exists (
  select from domain_day d where d.org_id = e.org_id and d.domain_id = e.domain_id and d.day = e.day);
