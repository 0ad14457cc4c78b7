/** What hangs on a table and is not copied with it: how it is made, and for keys and views how it is dropped. */
export interface Catalog {
  make: string;
  drop: string;
}

/** Tables without partitions: another column leads their key, or they are read before the organization is known. */
export const APART: readonly string[] = ['outbox', 'ip_interest', 'app_user', 'api_key'];

/** The tables of organizations. */
export const OWNED = `
  select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1::text[]) order by 1`;

const ORDERED = `t.relname = any($1::text[]) and t.relnamespace = 'public'::regnamespace order by t.relname, 1`;

/** Foreign keys; those of partitions follow from them. */
export const KEYS = `
  select format('alter table %I add constraint %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)) as make,
    format('alter table %I drop constraint %I', t.relname, k.conname) as drop
  from pg_constraint k join pg_class t on t.oid = k.conrelid where k.contype = 'f' and k.conparentid = 0 and ${ORDERED}`;

const TRIGGERS = `
  select pg_get_triggerdef(g.oid) as make from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where not g.tgisinternal and ${ORDERED}`;

const RIGHTS = `
  select format('grant %s on %I to %s', r.privilege_type, t.relname,
    case r.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(r.grantee)) end) as make
  from pg_class t, aclexplode(t.relacl) r where r.grantee <> t.relowner and ${ORDERED}`;

const ROW_SECURITY = `
  select format('alter table %I %s row level security', t.relname, kind) as make
  from pg_class t, lateral (values (t.relrowsecurity, 'enable'), (t.relforcerowsecurity, 'force')) as s (is_on, kind)
  where s.is_on and ${ORDERED}`;

const POLICIES = `
  select format('create policy %I on %I as %s for %s to %s', p.policyname, t.relname, p.permissive, p.cmd,
      (select string_agg(case r when 'public' then r else quote_ident(r) end, ', ') from unnest(p.roles::text[]) r))
    || coalesce(' using (' || p.qual || ')', '') || coalesce(' with check (' || p.with_check || ')', '') as make
  from pg_policies p join pg_class t on t.relname = p.tablename and p.schemaname = 'public' where ${ORDERED}`;

const OF_VIEWS = `
  v.relkind = 'v' and exists (select from pg_rewrite w join pg_depend d on d.objid = w.oid join pg_class t on t.oid = d.refobjid
    where w.ev_class = v.oid and t.relname = any($1::text[]) and t.relnamespace = 'public'::regnamespace) order by 1`;

export const VIEWS = `
  select format('create view %I %s as %s', v.relname, 'with (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid)) as make, format('drop view %I', v.relname) as drop
  from pg_class v where ${OF_VIEWS}`;

const RIGHTS_ON_VIEWS = `
  select format('grant %s on %I to %I', r.privilege_type, v.relname, pg_get_userbyid(r.grantee)) as make
  from pg_class v, aclexplode(v.relacl) r where r.grantee <> v.relowner and ${OF_VIEWS}`;

const TRIGGERS_OF_VIEWS = `
  select pg_get_triggerdef(g.oid) as make from pg_trigger g join pg_class v on v.oid = g.tgrelid
  where not g.tgisinternal and ${OF_VIEWS}`;

/** In the order of creation. */
export const HANGING: readonly string[] = [
  KEYS,
  TRIGGERS,
  RIGHTS,
  ROW_SECURITY,
  POLICIES,
  VIEWS,
  TRIGGERS_OF_VIEWS,
  RIGHTS_ON_VIEWS,
];
