-- What people have decided about who sends as a domain. A sender is a recognised service, by its slug, or the network of
-- addresses that belong to none, by its prefix.
create function sender_network(address inet) returns text
  language sql immutable parallel safe
  return text(network(set_masklen(address, case family(address) when 4 then 24 else 48 end)));

create table sender_decision (
  org_id     uuid        not null,
  domain_id  uuid        not null,
  sender     text        not null collate "C",
  decision   text        not null check (decision in ('ours', 'forwarder', 'not_ours')),
  owner      text        not null default '',
  note       text        not null default '',
  decided_by text        not null,
  decided_at timestamptz not null,
  primary key (org_id, domain_id, sender),
  foreign key (org_id, domain_id) references domain on delete cascade
);

-- Every change of a decision.
create table sender_decision_change (
  org_id     uuid        not null,
  domain_id  uuid        not null,
  sender     text        not null collate "C",
  id         uuid        not null,                     -- in the order of the changes
  decision   text        check (decision in ('ours', 'forwarder', 'not_ours')), -- null: withdrawn
  owner      text        not null default '',
  note       text        not null default '',
  changed_by text        not null,
  changed_at timestamptz not null,
  primary key (org_id, domain_id, sender, id),
  foreign key (org_id, domain_id) references domain on delete cascade
);

alter table sender_decision enable row level security;
create policy own_organization on sender_decision using (org_id = (select current_organization()));
alter table sender_decision_change enable row level security;
create policy own_organization on sender_decision_change using (org_id = (select current_organization()));

-- Answers that name decisions are kept until something changes.
create trigger decision_made after insert on sender_decision referencing new table as changed
  for each statement execute function note_changes();
create trigger decision_changed after update on sender_decision referencing new table as changed
  for each statement execute function note_changes();
create trigger decision_withdrawn after delete on sender_decision referencing old table as changed
  for each statement execute function note_changes();
