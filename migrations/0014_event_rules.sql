-- What the rules of events remember: every condition that was ever raised, whether it still holds, and which event tells
-- of it. Events may be acknowledged, resolved or merged; this is what keeps a condition from being told twice.
create table event_condition (
  org_id      uuid        not null references organization on delete cascade,
  key         text        not null,                    -- begins with the type
  type        text        not null,
  domain      text        not null default '' collate "C",
  severity    text        not null,
  holds       boolean     not null,                    -- false of what was told and is done
  raised_at   timestamptz not null,
  false_since timestamptz,                             -- while it does not hold
  ends_at     timestamptz,                             -- when it is over by itself, and may be raised again
  occurrence  text        not null default '' collate "C", -- of what is told at each change: the last one told
  event_id    uuid        not null,                    -- the event that tells of it, be it among others
  kept_by     text,                                    -- the watch that says when it is over
  primary key (org_id, key)
) with (fillfactor = 80);
create index event_condition_of_domain on event_condition (org_id, domain) where holds;
create index event_condition_kept on event_condition (kept_by) where holds and kept_by is not null;

-- One row for each type of an organization: who raises holds it, so that no more are raised than may be.
create table event_burst (
  org_id uuid not null references organization on delete cascade,
  type   text not null,
  primary key (org_id, type)
);
alter table event add column merged integer not null default 0; -- so many more of its type that it also tells of
create index event_of_type on event (org_id, type, created_at);

-- Events raised before this: what held them open is remembered as it stands.
update event set dedup_key = type || '/' || dedup_key where dedup_key like 'mailbox/%';
insert into event_condition (org_id, key, type, domain, severity, holds, raised_at, false_since, ends_at, event_id, kept_by)
select distinct on (org_id, dedup_key) org_id, dedup_key, type, domain, severity, resolved_at is null, created_at, resolved_at,
  case when type = 'tls_failures' then created_at + interval '7 days' end, id,
  case when dedup_key like '%/mailbox/%' then 'mailboxes' end
from event order by org_id, dedup_key, created_at desc, id desc;

-- When the rules look at a domain again, and what they saw of it last. Marked due with whatever changes what they go by.
create table event_watch (
  org_id      uuid        not null,
  domain_id   uuid        not null,
  due_at      timestamptz not null,
  reported_at timestamptz,                             -- when a report of a recent day arrived last
  known_until date        not null default '-infinity', -- names first seen up to this day are not new
  seen        jsonb       not null default '{}',       -- the records and states that the next change is told from
  primary key (org_id, domain_id),
  foreign key (org_id, domain_id) references domain on delete cascade
) with (fillfactor = 70);
create index event_watch_due on event_watch (due_at);
insert into event_watch (org_id, domain_id, due_at, reported_at, known_until)
select d.org_id, d.id, now(), (select max(received_at) from report r where r.org_id = d.org_id and r.domain_id = d.id
    and r.date_end >= now() - interval '4 days'),
  case when t.reports > 0 then current_date + 14 else '-infinity'::date end
from domain d left join domain_total t on t.org_id = d.org_id and t.domain_id = d.id;

-- What was there before is not told as new.
insert into event_condition (org_id, key, type, domain, severity, holds, raised_at, event_id)
select d.org_id, e.type || '/' || d.name, e.type, d.name, 'info', false, now(), gen_random_uuid()
from domain d join domain_total t on t.org_id = d.org_id and t.domain_id = d.id and t.reports > 0
  cross join (values ('first_report_received'), ('domain_discovered')) as e (type)
on conflict do nothing;

-- Sources of a domain that the rules look at: of whom something has changed that may matter, or a second look is due.
create table event_source (
  org_id          uuid        not null,
  domain_id       uuid        not null,
  source_ip       inet        not null,
  due_at          timestamptz not null,
  since           timestamptz not null,
  listed_severity text,                                -- seen once, to be seen again
  listed_at       timestamptz,                         -- when the lists said so
  primary key (org_id, domain_id, source_ip)
) with (fillfactor = 80);
create index event_source_due on event_source (org_id, domain_id, due_at);

-- Names below a domain that mail was sent from: when first, and how much on the newest day.
create table sending_subdomain (
  org_id    uuid   not null,
  domain_id uuid   not null,
  name      text   not null collate "C",
  first_day date   not null,
  day       date   not null,
  messages  bigint not null,                           -- on that day
  primary key (org_id, domain_id, name)
);
create index sending_subdomain_by_first_day on sending_subdomain (org_id, domain_id, first_day);

-- How much mail was signed with a key on each day; of days long ago nothing is kept.
create table dkim_selector_day (
  org_id    uuid   not null,
  domain_id uuid   not null,
  day       date   not null,
  signer    text   not null collate "C",
  selector  text   not null collate "C",
  messages  bigint not null,
  primary key (org_id, domain_id, day, signer, selector)
);
alter table dkim_selector add column first_day date;    -- null: it was known before this was kept
create index dkim_selector_by_first_day on dkim_selector (org_id, domain_id, first_day) where first_day is not null;

-- What else a check has found, for the rules: how many lookups, which keys.
alter table domain_check add column facts jsonb;

-- What the watches over organizations look for.
create index api_key_expiring on api_key (expires_at) where expires_at is not null and revoked_at is null;
create index raw_message_unread on raw_message (finished_at, org_id) where code is not null;
