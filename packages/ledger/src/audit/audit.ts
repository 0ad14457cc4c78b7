import { Connection, type Database } from '@dmarc-ledger/schema';
import type pg from 'pg';
import { findWrongSignatures } from './wrong-signatures.ts';
import { WRONG_MARKS } from './unauthenticated-marks.ts';
import { WRONG_PROOF } from './measure-proof.ts';
import { expectations } from './expectations.ts';
import { WITHOUT_LOOPS } from './without-loops.ts';

/** How many rows of a rollup differ from the data it is computed from; must be 0. */
export interface Drift {
  table: string;
  rows: number;
}

/**
 * Recomputes every rollup of an organization from its records and reports, and counts the differences. Runs on one
 * snapshot, so reports may be stored meanwhile. Keys that wait for repair are counted as `rollup_dirty`.
 */
export async function findDrift({ pool, db }: Database, orgId: string): Promise<Drift[]> {
  const signatures = await findWrongSignatures(db, orgId);
  const client = await pool.connect();
  Connection.setUnlimited(client, true);
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local statement_timeout = 0; ${WITHOUT_LOOPS}`);
    const found: Drift[] = [];
    for (const { table, expected, held } of expectations) {
      found.push({ table, rows: await differing(client, orgId, expected, held) });
    }
    const dirty = await client.query<{ rows: number }>('select count(*) as rows from rollup_dirty where org_id = $1', [
      orgId,
    ]);
    const marks = await client.query<{ rows: number }>(`select count(*) as rows from (${WRONG_MARKS}) wrong`, [orgId]);
    const proof = await client.query<{ rows: number }>(`select count(*) as rows from (${WRONG_PROOF}) wrong`, [orgId]);
    for (const kind of ['dkim_pass', 'dkim_failure'])
      found.push({ table: kind, rows: signatures.filter(({ table }) => table === kind).length });
    found.push({ table: 'report_unauthenticated', rows: marks.rows[0]?.rows ?? 0 });
    found.push({ table: 'report_unproven', rows: proof.rows[0]?.rows ?? 0 });
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
