-- What the mailboxes of an organization brought in a day (UTC), new or again, by our own clock: a server can date its
-- mail as it likes, and offer all of it anew.
create table mailbox_day (
  org_id uuid   not null references organization on delete cascade,
  day    date   not null,
  mails  bigint not null default 0,
  bytes  bigint not null default 0,
  primary key (org_id, day)
);

alter table mailbox_day enable row level security;
create policy own_organization on mailbox_day using (org_id = (select current_organization()));
