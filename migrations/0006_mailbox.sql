-- Report inboxes: how to reach them, how far each has been read, and what became of every message in them.
create table mailbox (
  org_id           uuid        not null references organization on delete cascade,
  id               uuid        not null,
  host             text        not null,
  port             integer     not null check (port between 1 and 65535),
  tls              text        not null check (tls in ('implicit', 'starttls')),
  ca               text,                               -- PEM of a private authority; null: the system's
  username         text        not null,
  folder           text        not null,
  auth             text        not null check (auth in ('password', 'oauth')),
  secret           bytea       not null,               -- sealed: the password, or client secret and refresh token
  oauth            jsonb,                              -- token endpoint, client id, grant, scope
  token            bytea,                              -- sealed: the access token in use
  token_expires_at timestamptz,
  after_intake     text        not null check (after_intake in ('move', 'keyword', 'leave')),
  processed_folder text        not null,
  refused_folder   text        not null,
  shared           boolean     not null,               -- mail of several organizations: each report finds its own
  authserv_ids     text[]      not null,               -- whose Authentication-Results are believed; empty: nobody's
  created_at       timestamptz not null default now(),
  removed_at       timestamptz,                        -- what it brought stays, and names it
  primary key (org_id, id)
);
create unique index mailbox_place on mailbox (org_id, host, port, username, folder) where removed_at is null;

-- How far a mailbox has been read, by whom, and how that goes. Written often; the mailbox itself seldom.
create table mailbox_progress (
  org_id            uuid        not null,
  mailbox_id        uuid        not null,
  state             text        not null default 'new'
                    check (state in ('new', 'connected', 'retrying', 'throttled', 'held', 'stopped')),
  fault_code        text,
  fault             text,                              -- a sentence for operators
  failing_since     timestamptz,
  attempted_at      timestamptz,
  succeeded_at      timestamptz,
  retry_at          timestamptz,
  uidvalidity       bigint,
  checkpoint_uid    bigint      not null default 0,    -- every message up to this is in mailbox_item, or gone
  last_uid          bigint      not null default 0,    -- the newest seen
  is_backfill       boolean     not null default true, -- what lay there when it was first opened is not taken in yet
  messages          bigint      not null default 0,    -- in the folder
  backlog           bigint      not null default 0,    -- of these, not fetched yet
  oldest_waiting_at timestamptz,                       -- arrival of the oldest of the backlog
  arrived_at        timestamptz,                       -- arrival of the newest ever fetched
  holder            bigint,                            -- the ingester that serves it; its hold ends with its session
  primary key (org_id, mailbox_id),
  foreign key (org_id, mailbox_id) references mailbox on delete cascade
);

-- One message at one place of a mailbox. With its delivery it is durable; only then may it be touched, once.
create table mailbox_item (
  org_id      uuid        not null,
  mailbox_id  uuid        not null,
  uidvalidity bigint      not null,
  uid         bigint      not null,
  message_id  uuid        not null,                    -- the delivery in the ledger
  arrived_at  timestamptz,                             -- by the mail server's clock
  fetched_at  timestamptz not null default now(),
  action      text        not null default 'none' check (action in ('none', 'moved', 'flagged', 'left', 'gone')),
  acted_at    timestamptz,
  primary key (org_id, mailbox_id, uidvalidity, uid),
  foreign key (org_id, mailbox_id) references mailbox on delete cascade
);
create index mailbox_item_open on mailbox_item (org_id, mailbox_id, uidvalidity, uid) where action = 'none';
create index mailbox_item_of_message on mailbox_item (org_id, message_id);

alter table raw_message
  add column mailbox_id   uuid,                        -- the mailbox that brought it first
  add column header_only  boolean not null default false, -- too large to be fetched: its header is all that is kept
  add column mail_facts   jsonb,                       -- what the receiving server recorded of the message
  add column only_domains text[],                      -- of a shared mailbox: the policy domains taken from it; null: all
  add column assigned_to  uuid[];                      -- of a shared mailbox: the other organizations that got it
alter table raw_message drop constraint raw_message_state_check;
alter table raw_message add constraint raw_message_state_check
  check (state in ('received', 'processing', 'stored', 'duplicate', 'assigned', 'refused', 'quarantined'));
