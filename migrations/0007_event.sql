-- Conditions that need attention. One open event for each condition; raised again only after it was resolved.
create table event (
  org_id          uuid        not null references organization on delete cascade,
  id              uuid        not null,
  type            text        not null,
  severity        text        not null check (severity in ('info', 'warning', 'critical')),
  domain          text        not null default '' collate "C", -- empty: about the whole organization
  dedup_key       text        not null,
  title           text        not null,
  message         text        not null,
  link            text        not null,
  created_at      timestamptz not null default now(),
  resolved_at     timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text,
  primary key (org_id, id)
);
create unique index event_open on event (org_id, dedup_key) where resolved_at is null;
create index event_feed on event (org_id, created_at desc, id desc);
