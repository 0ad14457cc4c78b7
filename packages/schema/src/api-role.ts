import { errorCode, present } from '@dmarc-ledger/vocabulary';
import type pg from 'pg';

/** The role that the API reads with: it owns no tables, so row-level security applies to it. */
export const API_ROLE = 'dmarc_ledger_api';

/** Whether the database user may switch to a role: since PostgreSQL 16, creating a role does not include that right. */
export const MAY_TAKE = `case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end`;

/**
 * The tables that the API reads: an organization's data, behind row-level security, and shared facts about addresses
 * and plans.
 */
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
/** The columns of keys without the hash of the secret. */
const READ_OF_KEYS = ['org_id', 'id', 'prefix', 'name', 'scope', 'revoked_at', 'last_used_at'];

/**
 * Grants the API's role the rights it needs, and creates the role if the database user may. A copy of a database does
 * not include roles, so this runs at every start; it changes nothing if all is in order.
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
  return present(rows[0]).prepared;
}

async function hasRole(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [API_ROLE]);
  return rowCount === 1;
}

async function mayTakeRole(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(`select pg_has_role($1, ${MAY_TAKE}) as may`, [API_ROLE]);
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
