-- When the sweep last said that this copy waits to be compared. Few do: the index of those that wait finds them, and to
-- make one in the order of this would take a walk through all copies.
alter table report_revision add column announced_at timestamptz;

-- What came too late for a day used to be marked from that day on. The mark tells what is computed from here on.
update org_total set snapshot_from = greatest(snapshot_from, (ledger_now() at time zone 'utc')::date - 3)
where snapshot_from is not null;
