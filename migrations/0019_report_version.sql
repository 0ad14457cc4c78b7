-- Grows each time that other records come to count in the place of a report's: what was judged of the earlier ones is void.
alter table report add column version integer not null default 1;

-- No sum may leave what JSON can hold. The other sums of messages are parts of this one, save for failures, which count a
-- message twice when it lacks both SPF and DKIM.
alter table org_total add constraint org_total_message_limit
  check (messages <= 9007199254740991 and 2 * messages::numeric - spf_pass - dkim_pass <= 9007199254740991)
  not valid; -- a ledger that holds more already is brought forward all the same

-- Marks are only ever added. A key that is marked again while it is computed has another mark, which the repair under way
-- does not see and so does not delete.
alter table rollup_dirty drop constraint rollup_dirty_pkey;
alter table rollup_dirty add column id uuid not null default gen_random_uuid();
alter table rollup_dirty add primary key (org_id, source_ip, day, domain_id, id);
