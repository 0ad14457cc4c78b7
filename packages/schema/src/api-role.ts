import type pg from 'pg';

/** The role by which the API reads: it owns nothing, so row-level security holds for it. */
export const API_ROLE = 'dmarc_ledger_api';

/** Whether the database's user may take a role: since PostgreSQL 16, who made it is its member and may not. */
export const MAY_TAKE = `case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end`;

/** What the API reads: facts of organizations, behind their policies; facts about addresses and plans, which are nobody's. */
const READ = [
  'organization',
  'plan',
  'domain',
  'domain_check',
  'domain_health',
  'reporter',
  'report',
  'report_record',
  'parse_warning',
  'own_report',
  'own_source_address',
  'own_source_text',
  'source_domain_day',
  'source_domain',
  'source_total',
  'source_standing',
  'source_standing_count',
  'domain_day',
  'domain_total',
  'org_day',
  'org_total',
  'report_count_day',
  'org_report_count_day',
  'report_count_reporter',
  'aprf_report',
  'aprf_row',
  'score_snapshot',
  'event',
  'usage_hour',
  'ip_enrichment',
  'blocklist_result',
];
/** Of keys, all but what proves them. */
const READ_OF_KEYS = ['org_id', 'id', 'prefix', 'name', 'scope', 'revoked_at', 'last_used_at'];

/**
 * Lets the API's role read what the API needs, and makes the role where the database's user may. A copy of a database
 * brings no roles along, so this is asked at every start, and is nothing but a question when all is as it should be.
 */
export async function prepareApiRole(client: pg.Client): Promise<void> {
  if (await isPrepared(client)) return;
  if (!(await hasRole(client))) await whereAllowed(client, `create role ${API_ROLE} nologin`);
  if (!(await hasRole(client))) return;
  if (!(await mayTakeRole(client))) await whereAllowed(client, `grant ${API_ROLE} to current_user`);
  await client.query(`do $$ begin execute format('grant usage on schema %I to ${API_ROLE}', current_schema()); end $$`);
  await client.query(`grant select on ${READ.join(', ')} to ${API_ROLE}`);
  await client.query(`grant select (${READ_OF_KEYS.join(', ')}) on api_key to ${API_ROLE}`);
}

async function isPrepared(client: pg.Client): Promise<boolean> {
  if (!(await hasRole(client)) || !(await mayTakeRole(client))) return false;
  const { rows } = await client.query<{ prepared: boolean }>(
    `select has_column_privilege($1, 'api_key', 'last_used_at', 'SELECT')
       and bool_and(has_table_privilege($1, name, 'SELECT')) as prepared from unnest($2::text[]) as name`,
    [API_ROLE, READ],
  );
  return rows[0]!.prepared;
}

async function hasRole(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [API_ROLE]);
  return rowCount === 1;
}

async function mayTakeRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(`select pg_has_role($1, ${MAY_TAKE}) as may`, [API_ROLE]);
  return rows[0]!.may;
}

/** Another database of the same server may do the same at this moment; and a user may not be allowed to. */
const EXPECTED = new Set(['42710', '23505', '42501', '0LP01']);

async function whereAllowed(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (!EXPECTED.has((error as pg.DatabaseError).code ?? '')) throw error;
  }
}
