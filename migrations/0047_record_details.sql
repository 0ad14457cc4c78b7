-- What records say of their mail, besides its address, number and recipient, repeats itself all the time. It is kept
-- once for an organization, by the hash of its content, and records refer to it. Records of older versions keep theirs,
-- and so does a record of a load with too many different ones: a reporter can make each one different.
create table record_detail (
  org_id        uuid        not null,
  id            uuid        not null,                  -- the first 16 bytes of the SHA-256 of the content
  used_at       timestamptz not null default now(),    -- of the last record stored with it, a day exactly
  disposition   text        not null,
  header_from   text        not null,
  envelope_from text,
  reasons       jsonb,
  dkim_results  jsonb,
  spf_results   jsonb,
  dkim_aligned  boolean[],
  spf_aligned   boolean[],
  primary key (org_id, id)
);
create index record_detail_by_use on record_detail (org_id, used_at);
alter table record_detail enable row level security;
create policy own_organization on record_detail using (org_id = (select current_organization()));

-- No row and no index is written anew.
alter table report_record rename to stored_record;
alter index report_record_pkey rename to stored_record_pkey;
alter index report_record_by_source rename to stored_record_by_source;
alter table stored_record
  add column detail_id uuid,
  alter column disposition drop not null,
  alter column header_from drop not null,
  add constraint stored_record_detail check (detail_id is not null or disposition is not null and header_from is not null)
    not valid;

-- Records as they were reported, wherever their detail is. A compliant record is authenticated whatever its source, so
-- its class need not be stored. A detail is found by its key whatever the planner knows of the tables.
create view report_record with (security_invoker = true) as
  select r.org_id, r.report_id, r.position, r.day, r.domain_id, r.source_ip, r.source_text, r.messages,
    coalesce(r.disposition, d.disposition) as disposition, r.dkim_pass, r.spf_pass,
    coalesce(r.header_from, d.header_from) as header_from, coalesce(r.envelope_from, d.envelope_from) as envelope_from,
    r.envelope_to, coalesce(r.reasons, d.reasons) as reasons,
    coalesce(r.dkim_results, d.dkim_results) as dkim_results, coalesce(r.spf_results, d.spf_results) as spf_results,
    coalesce(r.dkim_aligned, d.dkim_aligned) as dkim_aligned, coalesce(r.spf_aligned, d.spf_aligned) as spf_aligned,
    coalesce(r.class, case when r.dkim_pass or r.spf_pass then 'authenticated' end) as class, r.proved
  from stored_record r left join lateral (
    select * from record_detail
    where org_id = r.org_id and id between r.detail_id and r.detail_id order by id limit 1
  ) d on true;

-- Processes of the previous version store, remove and read records by this name until they are replaced; what they judge
-- waits for the new ones. The next version drops these triggers.
create function store_record_of_older_process() returns trigger language plpgsql as $$
begin
  insert into stored_record (org_id, report_id, position, day, domain_id, source_ip, source_text, messages, disposition,
    dkim_pass, spf_pass, header_from, envelope_from, envelope_to, reasons, dkim_results, spf_results, dkim_aligned,
    spf_aligned, class, proved)
  select new.org_id, new.report_id, new.position, new.day, new.domain_id, new.source_ip, new.source_text, new.messages,
    new.disposition, new.dkim_pass, new.spf_pass, new.header_from, new.envelope_from, new.envelope_to, new.reasons,
    new.dkim_results, new.spf_results, new.dkim_aligned, new.spf_aligned, new.class, coalesce(new.proved, false);
  return new;
end $$;
create trigger store_record instead of insert on report_record
  for each row execute function store_record_of_older_process();

create function remove_record_of_older_process() returns trigger language plpgsql as $$
begin
  delete from stored_record where org_id = old.org_id and report_id = old.report_id and position = old.position
    and day = old.day;
  return old;
end $$;
create trigger remove_record instead of delete on report_record
  for each row execute function remove_record_of_older_process();
