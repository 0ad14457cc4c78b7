-- A second wall between organizations, for whoever reads without owning the tables (the API does): of each table that has
-- organizations, only the rows of the one that the connection speaks for are there. Owners of the tables pass.

-- A setting that was set once is never unset again but empty. Asked for by a subquery, it is asked for once in a statement.
create function current_organization() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

alter table organization enable row level security;
create policy own_organization on organization using (id = (select current_organization()));

do $$
declare
  tenant record;
begin
  for tenant in
    select class.oid::regclass as name
    from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r' and attribute.attname = 'org_id'
  loop
    execute format('alter table %s enable row level security', tenant.name);
    execute format('create policy own_organization on %s using (org_id = (select current_organization()))', tenant.name);
  end loop;
end $$;

-- Before a policy has let a row through, only operators that can reveal nothing of it may look at it, and those of text
-- searches are not among them: on the tables, no index of theirs would serve the API. So searches ask these views, which
-- have the same wall in their condition: it holds for whom the policies hold.
create view own_report as
  select org_id, id, domain_id, reporter_id, reporter_name, report_id, domain, day, begin_day, end_day, date_end,
    received_at, messages, compliance, result
  from report where not (select row_security_active('report')) or org_id = (select current_organization());

create view own_source_address as
  select org_id, source_ip
  from source_address where not (select row_security_active('source_address')) or org_id = (select current_organization());

create view own_source_text as
  select org_id, source_ip, source_text
  from source_total where not (select row_security_active('source_total')) or org_id = (select current_organization());
