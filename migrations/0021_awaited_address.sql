-- Addresses whose lookup is due, in the lines of the organizations that have heard of them: each organization has its turn,
-- however long the line of another is. Of the nil organization: those that nobody has heard of.
create table awaited_address (
  org_id   uuid        not null,
  address  inet        not null,
  priority smallint    not null, -- as in ip_enrichment; for this organization, failing mail comes first
  since    timestamptz not null default now(),
  primary key (org_id, address)
);
create index awaited_address_in_turn on awaited_address (org_id, priority, since);
alter table awaited_address enable row level security;
create policy own_organization on awaited_address using (org_id = (select current_organization()));

-- What is due is put in line by its time alone; while it is in line or planned, `due_at` is when to do so anew.
alter table ip_enrichment add column in_line boolean not null default false;
drop index ip_enrichment_due;
create index ip_enrichment_due on ip_enrichment (due_at);
