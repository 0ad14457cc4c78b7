-- No row is written anew: what is stored later lies denser.

-- Entries of one selector and day are equal without the number of messages, so PostgreSQL stores them once. The few
-- statements that sum them up read the rows of some weeks of one domain.
drop index dkim_pass_of_selector;
create index dkim_pass_of_selector on dkim_pass (org_id, domain_id, signer, selector, day);

-- Only records that fail are written a second time, with their class: one or two of those on a page.
do $$
declare part regclass;
begin
  for part in
    select oid::regclass from pg_class where relkind = 'r' and (oid = 'stored_record'::regclass
      or oid in (select relid from pg_partition_tree('stored_record')))
  loop
    execute format('alter table %s set (fillfactor = 94)', part);
  end loop;
end $$;
