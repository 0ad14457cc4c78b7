-- True while an organization holds the bundled samples. Its owner leaves it for an organization of their own.
alter table organization add column has_samples boolean not null default false;

-- The same as before, samples last: a new session begins at what is one's own.
create or replace function memberships_of(address text)
returns table (org_id uuid, org_name text, user_id uuid, role text)
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
  select u.org_id, o.name, u.id, u.role
  from app_user u join organization o on o.id = u.org_id
  where lower(u.email) = lower(address) and u.removed_at is null and o.suspended_at is null and o.removed_at is null
  order by o.has_samples, o.name;
end;

-- The organization that somebody owns beside the samples. The first call creates it, for an owner of samples alone:
-- the role of the pages may create no organization otherwise. Concurrent calls return the same one.
create function own_organization(address text, new_org uuid, new_user uuid) returns uuid
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  select pg_advisory_xact_lock(hashtextextended('own_organization', 0));
  with owned as (
    select o.has_samples from memberships_of(address) m join organization o on o.id = m.org_id where m.role = 'owner'
  ), free as (
    select 'My own reports' || case n when 1 then '' else ' ' || n end as name
    from generate_series(1, (select count(*) + 1 from organization)) n order by n
  )
  insert into organization (id, name)
  select new_org, (select f.name from free f where not exists (select from organization o where o.name = f.name) limit 1)
  where exists (select from owned where has_samples) and not exists (select from owned where not has_samples);
  insert into app_user (org_id, id, email, role)
  select o.id, new_user, lower(address), 'owner' from organization o where o.id = new_org;
  select m.org_id from memberships_of(address) m join organization o on o.id = m.org_id
  where m.role = 'owner' and not o.has_samples order by o.created_at, o.id limit 1;
end;
revoke all on function own_organization(text, uuid, uuid) from public;

-- Tickets also carry changes of settings whose secrets only the ingester may seal; such a ticket serves once.
alter table upload_ticket add column purpose text not null default 'upload' check (purpose in ('upload', 'settings'));

-- A mailbox that was added on the pages: its server is reached at public addresses alone.
alter table mailbox add column public_only boolean not null default false;
