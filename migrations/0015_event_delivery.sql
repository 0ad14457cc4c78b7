-- Where events are told beside the feed: a URL, or addresses of mail.
create table delivery_target (
  org_id         uuid        not null references organization on delete cascade,
  id             uuid        not null,
  kind           text        not null check (kind in ('webhook', 'email')),
  address        text        not null,                 -- of mail: several with commas between
  secret         bytea,                                -- sealed: what a webhook is signed with
  types          text[]      not null,                 -- of events; empty: all that are delivered at all
  least_severity text        not null check (least_severity in ('info', 'warning', 'critical')),
  enabled        boolean     not null default true,
  disabled_code  text,                                 -- why it is not
  created_at     timestamptz not null default now(),
  removed_at     timestamptz,                          -- its log stays
  primary key (org_id, id)
);
create unique index delivery_target_place on delivery_target (org_id, kind, address) where removed_at is null;

-- One event for one target, as the event was when that was planned. Told until the target has it, or for about a day.
create table event_delivery (
  org_id        uuid        not null,
  id            uuid        not null,
  event_id      uuid        not null,
  target_id     uuid        not null,
  severity      text        not null,
  title         text        not null,
  message       text        not null,
  state         text        not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'given_up')),
  hand          text        check (hand in ('announced', 'begun')), -- whose turn it is until due_at; null: nobody's
  tries         integer     not null default 0,
  due_at        timestamptz not null,                  -- the next try, or when the one in hand counts as lost
  answer_status integer,                               -- of HTTP or SMTP, to the last try
  error_code    text,                                  -- of the last try
  planned_at    timestamptz not null default now(),
  tried_at      timestamptz,
  delivered_at  timestamptz,
  primary key (org_id, id),
  unique (org_id, event_id, target_id),
  foreign key (org_id, event_id) references event on delete cascade,
  foreign key (org_id, target_id) references delivery_target on delete cascade
);
create index event_delivery_open on event_delivery (org_id, target_id, due_at, id) where state in ('waiting', 'failed');
create index event_delivery_in_hand on event_delivery (org_id, target_id, due_at) where hand is not null;
create index event_delivery_age on event_delivery (planned_at) where state in ('waiting', 'failed');
create index event_delivery_log on event_delivery (org_id, target_id, planned_at desc, id desc);

-- What was raised before there were targets is told to none.
alter table event add column delivery_planned boolean not null default true;
alter table event alter column delivery_planned set default false;
create index event_unplanned on event (org_id, id) where not delivery_planned;
