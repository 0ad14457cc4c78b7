-- The days of a domain are found by an index whose entries of one day are equal, so that PostgreSQL stores them once:
-- the address in each made it ten times as large, and no read uses it, as all need other columns of the row.
create index source_domain_day_of_day on source_domain_day (org_id, domain_id, day);
drop index source_domain_day_of_domain;
alter index source_domain_day_of_day rename to source_domain_day_of_domain;

-- Whether the report by which a source was first seen may be forged, is asked of many sources: by the begin of that
-- report, however many forged ones there are.
create index report_unauthenticated_begin on report (org_id, domain_id, date_begin) where unauthenticated;
