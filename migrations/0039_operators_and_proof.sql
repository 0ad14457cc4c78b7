-- The people who run the installation: they see its state, and nothing more of any organization than their role there
-- allows. The role of the pages may only read this table, so that no fault of the pages makes an operator.
create table operator (
  person_id uuid        primary key references person on delete cascade,
  since     timestamptz not null default now()
);

-- The state of the installation as the scheduler (ledger), an ingester (disk), a worker (queues) and the command doctor
-- last found it, for the page of operators: no view of it asks anything of another system.
create table installation_state (
  part     text        primary key check (part in ('ledger', 'disk', 'queues', 'doctor')),
  found_at timestamptz not null,
  found    jsonb       not null
);

-- A ticket may also open raw bytes, once.
alter table upload_ticket drop constraint upload_ticket_purpose_check;
alter table upload_ticket add constraint upload_ticket_purpose_check check (purpose in ('upload', 'settings', 'raw'));

-- Set while a person has paused a mailbox: it is not read, and its mail waits there.
alter table mailbox add column paused_at timestamptz;
