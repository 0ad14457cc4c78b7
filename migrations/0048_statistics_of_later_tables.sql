-- The same for the tables that have come since 0026: statistics of a few rows would let a statement read the whole table
-- by a plan that is kept while the table grows.
do $$
declare
  grown text;
begin
  foreach grown in array array[
    'record_detail', 'dkim_pass', 'dkim_failure', 'source_standing', 'unjudged_source', 'event_source'
  ] loop
    execute format('alter table %I set (autovacuum_analyze_threshold = 5000, autovacuum_analyze_scale_factor = 0.2,
      autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = 20000)', grown);
  end loop;
end
$$;
