-- Now; a session may say another instant, to see what time brings.
create function ledger_now() returns timestamptz
  language sql stable parallel safe
  return coalesce(nullif(current_setting('dmarc_ledger.now', true), '')::timestamptz, now());

-- The score of an organization as each past day closed; score and rates in hundredths.
create table score_snapshot (
  org_id      uuid        not null references organization on delete cascade,
  day         date        not null,
  score       integer     not null,
  compliance  integer     not null,
  spf         integer     not null,
  dkim        integer     not null,
  messages    bigint      not null,                    -- in the windows of that day
  computed_at timestamptz not null default now(),
  primary key (org_id, day)
);

-- What has changed of past days since snapshots were computed last.
alter table org_total
  add column changes          bigint      not null default 0, -- grows with everything that an overview tells
  add column snapshot_from    date,                    -- the earliest day
  add column imported_from    date,                    -- the earliest that an import brought
  add column imported_at      timestamptz,             -- when it last brought one
  add column snapshot_marks   bigint      not null default 0, -- grows with every change of a past day
  add column snapshots_due_at timestamptz not null default now();
create index org_total_by_snapshots_due on org_total (snapshots_due_at);

-- What is not reports changes an overview too.
create function note_changes() returns trigger language plpgsql as $$
begin
  update org_total set changes = changes + 1 where org_id in (select org_id from changed);
  return null;
end $$;
create trigger event_raised after insert on event referencing new table as changed
  for each statement execute function note_changes();
create trigger event_changed after update on event referencing new table as changed
  for each statement execute function note_changes();
create trigger domain_first_checked after insert on domain_check referencing new table as changed
  for each statement execute function note_changes();
create trigger domain_checked after update on domain_check referencing new table as changed
  for each statement execute function note_changes();

-- The newest report day of a source, for counting the sources of a window.
alter table source_total add column last_day date;
update source_total t set last_day = (
  select max(day) from source_domain_day d where d.org_id = t.org_id and d.source_ip = t.source_ip);
