import { errorCode, present } from '@dmarc-ledger/vocabulary';
import type pg from 'pg';
import { apiRole, webRole, type Grant, type Role } from './roles.ts';

/** Whether the database user may switch to a role: since PostgreSQL 16, creating a role does not include that right. */
export const MAY_TAKE = `case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER'
  end`;

/**
 * Grants the roles of the API and of the pages the rights they need, and creates the roles if the database user may. A
 * copy of a database does not include roles, so this runs at every start; it changes nothing if all is in order.
 */
export async function prepareRoles(client: pg.Client): Promise<void> {
  for (const role of [apiRole, webRole]) await prepareRole(client, role);
}

async function prepareRole(client: pg.Client, role: Role): Promise<void> {
  const { name, grants, calls } = role;
  if (await isPrepared(client, role)) return;
  if (!(await hasRole(client, name))) await whereAllowed(client, `create role ${name} nologin`);
  if (!(await hasRole(client, name))) return;
  if (!(await mayTakeRole(client, name))) await whereAllowed(client, `grant ${name} to current_user`);
  await client.query(`do $$ begin execute format('grant usage on schema %I to ${name}', current_schema()); end $$`);
  for (const grant of grants) await client.query(`grant ${rightOf(grant)} on ${grant.on} to ${name}`);
  for (const call of calls) await client.query(`grant execute on function ${call} to ${name}`);
}

function rightOf({ right, columns }: Grant): string {
  return columns ? `${right} (${columns.join(', ')})` : right;
}

async function isPrepared(client: pg.Client, { name, grants, calls }: Role): Promise<boolean> {
  if (!(await hasRole(client, name)) || !(await mayTakeRole(client, name))) return false;
  const rights = grants.flatMap(({ on, right, columns = [null] }) => columns.map((column) => ({ on, right, column })));
  const { rows } = await client.query<{ prepared: boolean }>(
    `select bool_and(case when "column" is null then has_table_privilege($1, "on", "right")
        else has_column_privilege($1, "on", "column", "right") end)
      and not exists (select from unnest($3::text[]) call
        where not has_function_privilege($1, call, 'execute')) as prepared
     from json_to_recordset($2::json) as r ("on" text, "right" text, "column" text)`,
    [name, JSON.stringify(rights), calls],
  );
  return present(rows[0]).prepared;
}

async function hasRole(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name]);
  return rowCount === 1;
}

async function mayTakeRole(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(`select pg_has_role($1, ${MAY_TAKE}) as may`, [name]);
  return present(rows[0]).may;
}

/** Another database of the same server may do the same concurrently, and the user may lack the right. */
const EXPECTED = new Set(['42710', '23505', '42501', '0LP01']);

async function whereAllowed(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (!EXPECTED.has(errorCode(error) ?? '')) throw error;
  }
}
