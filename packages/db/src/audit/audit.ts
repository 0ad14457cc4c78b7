import type pg from 'pg';
import { Connection } from '../connection.ts';
import type { Database } from '../database.ts';
import { transact } from '../transaction.ts';
import { expectations } from './expectations.ts';

/** How many rows of a rollup differ from what it is made of; must be 0. */
export interface Drift {
  table: string;
  rows: number;
}

/**
 * Computes every rollup of an organization again from its records and reports, and counts what differs. Runs on one
 * snapshot, so it may run while reports are stored. Keys that wait for repair are counted as `rollup_dirty`.
 */
export async function findDrift({ pool }: Database, orgId: string): Promise<Drift[]> {
  const client = await pool.connect();
  Connection.setUnlimited(client, true);
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    const found: Drift[] = [];
    for (const { table, expected, held } of expectations) {
      found.push({ table, rows: await differing(client, orgId, expected, held) });
    }
    const dirty = await client.query<{ rows: number }>('select count(*) as rows from rollup_dirty where org_id = $1', [
      orgId,
    ]);
    return [...found, { table: 'rollup_dirty', rows: dirty.rows[0]!.rows }];
  } finally {
    await client.query('rollback').catch(() => undefined);
    Connection.setUnlimited(client, false);
    client.release();
  }
}

async function differing(client: pg.PoolClient, orgId: string, expected: string, held: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `with expected as (${expected}), held as (${held})
     select (select count(*) from (select * from expected except all select * from held) missing)
       + (select count(*) from (select * from held except all select * from expected) extra) as rows`,
    [orgId],
  );
  return rows[0]!.rows;
}

/** The rollups that are sums over reports alone, made anew; those by source are made anew key by key. */
const REBUILT = [
  'report_count_day',
  'org_report_count_day',
  'report_count_reporter',
  'domain_day',
  'org_day',
  'domain_total',
  'org_total',
] as const;

/**
 * Makes every rollup of an organization anew: sums over reports at once, while nobody else may write them, and all keys
 * of sources as dirty ones, for the repair that follows.
 */
export async function rebuildRollups(database: Database, orgId: string): Promise<void> {
  await transact(
    database,
    async ({ query }) => {
      await query(`lock table ${REBUILT.join(', ')} in share row exclusive mode`);
      for (const table of REBUILT) {
        const { expected, held } = expectations.find((expectation) => expectation.table === table)!;
        const columns = held.slice('select '.length, held.indexOf(' from '));
        await query(`delete from ${table} where org_id = $1`, [orgId]);
        await query(`insert into ${table} (org_id, ${columns}) select $1, e.* from (${expected}) e`, [orgId]);
      }
      await query(
        `
      insert into rollup_dirty (org_id, source_ip, day, domain_id)
      select org_id, source_ip, day, domain_id from report_record where org_id = $1
      union select org_id, source_ip, day, domain_id from source_domain_day where org_id = $1
      on conflict do nothing`,
        [orgId],
      );
    },
    { unlimited: true },
  );
}
