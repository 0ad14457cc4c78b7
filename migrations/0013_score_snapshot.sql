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
  add column snapshot_from    date,                    -- the earliest day
  add column imported_from    date,                    -- the earliest that an import brought
  add column imported_at      timestamptz,             -- when it last brought one
  add column snapshot_marks   bigint      not null default 0, -- grows with every change of a past day
  add column snapshots_due_at timestamptz not null default now();
create index org_total_by_snapshots_due on org_total (snapshots_due_at);

-- The newest report day of a source, for counting the sources of a window.
alter table source_total add column last_day date;
update source_total t set last_day = (
  select max(day) from source_domain_day d where d.org_id = t.org_id and d.source_ip = t.source_ip);
