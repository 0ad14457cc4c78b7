-- Statistics come from autovacuum alone. Until a table has its first, the planner takes it for at least ten pages, and
-- finds rows by keys; statistics of a table of a few rows would let it read the whole table, by a plan that is kept
-- while the table grows. So the tables that grow with reports get their first statistics when they are large enough,
-- and further ones as they grow.
do $$
declare
  grown text;
begin
  foreach grown in array array[
    'raw_message', 'payload', 'report', 'report_revision', 'report_record', 'parse_warning', 'source_domain_day',
    'source_domain', 'source_total', 'source_address', 'ip_enrichment', 'ip_interest', 'awaited_address', 'domain_day',
    'report_count_day', 'unjudged_report'
  ] loop
    execute format('alter table %I set (autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.2,
      autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 20000)', grown);
  end loop;
end
$$;
