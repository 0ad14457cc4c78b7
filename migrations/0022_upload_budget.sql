-- What an organization hands in by upload, in bytes and deliveries, new or sent again: what a day and an hour may bring.
create table upload_hour (
  org_id     uuid        not null references organization on delete cascade,
  hour       timestamptz not null,
  bytes      bigint      not null default 0,
  deliveries bigint      not null default 0,
  primary key (org_id, hour)
);

-- Uploads under way in any process, each with the bytes set aside for it. One whose process is gone counts no more.
create table upload_under_way (
  org_id     uuid        not null references organization on delete cascade,
  id         uuid        not null,
  claimed_by bigint      not null,                     -- the ingester; its claim ends with its session
  bytes      bigint      not null,
  begun_at   timestamptz not null default now(),
  primary key (org_id, id)
);

alter table upload_hour enable row level security;
create policy own_organization on upload_hour using (org_id = (select current_organization()));
alter table upload_under_way enable row level security;
create policy own_organization on upload_under_way using (org_id = (select current_organization()));
