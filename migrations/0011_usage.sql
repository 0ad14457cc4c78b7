-- Requests to the API: what each key did in each clock hour.
create table usage_hour (
  org_id   uuid        not null,
  hour     timestamptz not null,                       -- its begin, UTC
  key_id   uuid        not null,
  requests bigint      not null,                       -- passed the quota
  rejected bigint      not null,                       -- answered with 429
  errors   bigint      not null,                       -- answered with 500 or above
  primary key (org_id, hour, key_id),
  foreign key (org_id, key_id) references api_key on delete cascade
);
create index usage_hour_hour on usage_hour (hour);   -- how all organizations stand in one

-- Counts are written in batches; one that is here is written, and writing it again adds nothing.
create table usage_batch (
  id uuid        primary key,
  at timestamptz not null default now()
);
create index usage_batch_age on usage_batch (at);

alter table api_key
  add column last_used_at timestamptz,
  drop column last_used_day;
