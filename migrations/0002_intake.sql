-- The intake ledger: every delivery, content-addressed, and what became of it. The bytes are in blob storage, written
-- before the row.
create table raw_message (
  org_id           uuid        not null references organization on delete cascade,
  id               uuid        not null,
  sha256           bytea       not null,
  size             bigint      not null,
  source           text        not null check (source in ('file', 'upload', 'mailbox')),
  name             text,                               -- file name or the like, as a hint for people
  received_at      timestamptz not null default now(),
  mail_received_at timestamptz,                        -- by the topmost Received header; null for what is no mail
  state            text        not null default 'received'
                   check (state in ('received', 'processing', 'stored', 'duplicate', 'refused', 'quarantined')),
  code             text,                               -- why it was refused or set aside; the first of several
  attempts_started integer     not null default 0,     -- committed before the bytes are looked at
  claimed_by       bigint,                             -- the ingester at work on it; its claim ends with its session
  finished_at      timestamptz,
  parts            jsonb,                              -- each document in it: path, payload, outcome, code, report, warnings
  primary key (org_id, id),
  unique (org_id, sha256)
);
create index raw_message_waiting on raw_message (org_id, id) where state in ('received', 'processing');
create index raw_message_state on raw_message (org_id, state, id);
create index raw_message_code on raw_message (org_id, code, id) where code is not null;

-- Inflated content seen before, so that a report sent again is known without being parsed.
create table payload (
  org_id     uuid  not null,
  sha256     bytea not null,
  message_id uuid  not null,                           -- the delivery that brought it first
  outcome    text  not null check (outcome in ('stored', 'duplicate', 'refused')),
  code       text,
  primary key (org_id, sha256)
);

-- Work announced in the transaction that makes it necessary; the relay hands it to the queue and deletes it.
create table outbox (
  id         uuid        primary key,
  org_id     uuid        not null,
  job        text        not null,
  payload    jsonb       not null,
  created_at timestamptz not null default now()
);
