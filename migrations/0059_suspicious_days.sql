-- The charts of pages show suspicious messages by day. They are in few of the rows, which are read from this index alone.
create index source_domain_day_suspicious on source_domain_day (org_id, day) include (domain_id, suspicious)
  where suspicious > 0;
