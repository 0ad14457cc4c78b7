import type pg from 'pg';

/** Something that belongs to a table and is not copied with it: how it is made and, of keys and views, dropped. */
interface Dependent {
  make: string;
  drop: string;
}

const ORDERED = `t.relname = any($1::text[]) and t.relnamespace = 'public'::regnamespace order by t.relname, 1`;

/** Foreign keys; those of partitions follow from them. */
const KEYS = `
  select format('alter table %I add constraint %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)) as make,
    format('alter table %I drop constraint %I', t.relname, k.conname) as drop
  from pg_constraint k join pg_class t on t.oid = k.conrelid
  where k.contype = 'f' and k.conparentid = 0 and ${ORDERED}`;

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
  v.relkind = 'v' and exists (
    select from pg_rewrite w join pg_depend d on d.objid = w.oid join pg_class t on t.oid = d.refobjid
    where w.ev_class = v.oid and t.relname = any($1::text[]) and t.relnamespace = 'public'::regnamespace) order by 1`;

const VIEWS = `
  select format('create view %I %s as %s', v.relname, 'with (' || array_to_string(v.reloptions, ', ') || ')',
      pg_get_viewdef(v.oid)) as make, format('drop view %I', v.relname) as drop
  from pg_class v where ${OF_VIEWS}`;

const RIGHTS_ON_VIEWS = `
  select format('grant %s on %I to %I', r.privilege_type, v.relname, pg_get_userbyid(r.grantee)) as make
  from pg_class v, aclexplode(v.relacl) r where r.grantee <> v.relowner and ${OF_VIEWS}`;

const TRIGGERS_OF_VIEWS = `
  select pg_get_triggerdef(g.oid) as make from pg_trigger g join pg_class v on v.oid = g.tgrelid
  where not g.tgisinternal and ${OF_VIEWS}`;

/** In the order of creation. */
const ALL: readonly string[] = [
  KEYS,
  TRIGGERS,
  RIGHTS,
  ROW_SECURITY,
  POLICIES,
  VIEWS,
  TRIGGERS_OF_VIEWS,
  RIGHTS_ON_VIEWS,
];

/** Replaces tables, which keep their names, by others: with their keys, triggers, rights, policies and views. */
export async function replaceTables(
  client: pg.ClientBase,
  tables: readonly string[],
  replace: (table: string) => Promise<void>,
): Promise<void> {
  const dependents = await readDependents(client, ALL, tables);
  for (const { drop } of await readDependents(client, [VIEWS, KEYS], tables)) await client.query(drop);
  for (const table of tables) await replace(table);
  for (const { make } of dependents) await client.query(make);
  const after = await readDependents(client, ALL, tables);
  if (JSON.stringify(after) !== JSON.stringify(dependents))
    throw new Error('Something of the tables is not as before.');
}

/** Locks a table alone, after the views that read it: their readers lock in this order too. */
export async function lockWithViews(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select v.relname::text as name from pg_class v where ${OF_VIEWS}`,
    [[table]],
  );
  const names = [...rows.map(({ name }) => name), table];
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
}

/** The fill factor and the like, which belong to tables with rows and are not copied. */
export async function storageOf(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ settings: string | null }>(
    `select array_to_string(reloptions, ', ') as settings from pg_class where oid = $1::regclass`,
    [table],
  );
  return rows[0]?.settings ? `with (${rows[0].settings})` : '';
}

async function readDependents(
  client: pg.ClientBase,
  queries: readonly string[],
  tables: readonly string[],
): Promise<Dependent[]> {
  const found: Dependent[] = [];
  for (const query of queries) found.push(...(await client.query<Dependent>(query, [tables])).rows);
  return found;
}
