-- Who gets a digest by mail, how often, and how far the next one is. One row is one subscription of a member.
create table digest_subscription (
  org_id     uuid        not null,
  user_id    uuid        not null,
  frequency  text        not null check (frequency in ('daily', 'weekly')),
  domains    text[]      not null default '{}',        -- empty: all of the organization
  token      uuid        not null default gen_random_uuid(), -- in the link that ends it
  due_day    date        not null,                     -- of the next issue
  due_at     timestamptz not null,                     -- of the next step: an issue, a retry, or the end of a lease
  hand       text        check (hand in ('announced', 'begun')),
  tries      integer     not null default 0,
  sent_day   date,                                     -- of the last issue that was sent
  error_code text,                                     -- of the last try, if it failed
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references app_user on delete cascade
);
create index digest_subscription_due on digest_subscription (due_at);
alter table digest_subscription enable row level security;
create policy own_organization on digest_subscription using (org_id = (select current_organization()));
