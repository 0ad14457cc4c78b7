-- What the newest check of a domain found in detail, replaced by each check: what each name server answered
-- (`name_servers`), the SPF record with everything that it refers to (`spf_tree`), and the DKIM keys with the time since
-- when each is published (`dkim_keys`). Bounded by what checks keep, whatever others publish.
create table domain_evidence (
  org_id    uuid        not null,
  domain_id uuid        not null,
  subject   text        not null check (subject in ('name_servers', 'spf_tree', 'dkim_keys')),
  body      jsonb       not null,
  read_at   timestamptz not null,
  primary key (org_id, domain_id, subject),
  foreign key (org_id, domain_id) references domain on delete cascade
);
alter table domain_evidence enable row level security;
create policy own_organization on domain_evidence using (org_id = (select current_organization()));
