-- What became of the mail of each day of a domain, so that the effect of a stricter policy is computed without reading
-- the records of months. A day counts while its revision is that of `domain_day`; any other day is read from the records.

-- Changes with every report that begins or ceases to count on the day.
-- The first value is the same for all rows, so that none is written anew.
alter table domain_day add column revision uuid not null default '00000000-0000-0000-0000-000000000000';
alter table domain_day alter column revision set default gen_random_uuid();

-- One element of the arrays for each address, From domain and fate. Only mail that a stricter policy can affect has its
-- address.
create table enforcement_day (
  org_id      uuid        not null,
  domain_id   uuid        not null,
  day         date        not null,
  revision    uuid        not null,                    -- of `domain_day`, when this was computed
  sources     inet[]      not null,
  names       text[]      not null,                    -- null: the From domain is the domain itself
  fates       text[]      not null,
  messages    bigint[]    not null,
  computed_at timestamptz not null default now(),
  primary key (org_id, domain_id, day),
  foreign key (org_id, domain_id) references domain on delete cascade
);
alter table enforcement_day enable row level security;
create policy own_organization on enforcement_day using (org_id = (select current_organization()));
