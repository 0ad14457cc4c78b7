-- Records that were stored on a day, new ones and those that came to count in the place of others: what the organization's
-- budget for the day is measured by.
alter table org_total
  add column records_on     date,
  add column records_stored bigint not null default 0;

-- A delivery that would bring more records than the day has left waits until then.
alter table raw_message add column held_until timestamptz;
create index raw_message_held on raw_message (held_until) where held_until is not null;
drop index raw_message_waiting;
create index raw_message_waiting on raw_message (org_id, id) where state in ('received', 'processing') and held_until is null;
