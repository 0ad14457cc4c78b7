-- A list of reports that is filtered by domain, reporter or days is often collected and sorted, or counted: from these
-- indexes alone, without visits to rows that are spread over the whole table. So are the days of reporters. Reports are
-- read while they are made, and the old ones go at the end.
create index report_ends on report (org_id, date_end, id)
  include (begin_day, end_day, day, records, unauthenticated, result, compliance, received_at, messages, compliant,
    domain_id, reporter_id, domain, reporter_name);
create index report_ends_of_domain on report (org_id, domain_id, date_end, id)
  include (begin_day, end_day, day, records, unauthenticated, result, compliance, received_at, messages, compliant,
    reporter_id, reporter_name);
create index report_ends_of_reporter on report (org_id, reporter_id, date_end, id) include (begin_day, end_day, result);

-- The overview counts the addresses of the last days: in a long list of sources, from this index alone.
create index source_total_by_last_day on source_total (org_id, last_day) where indexed and reports > 0;

drop index report_by_date_end, report_of_domain, report_of_reporter;
alter index report_ends rename to report_by_date_end;
alter index report_ends_of_domain rename to report_of_domain;
alter index report_ends_of_reporter rename to report_of_reporter;
