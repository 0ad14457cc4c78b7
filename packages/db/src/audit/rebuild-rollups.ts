import type { Day } from '@dmarc-ledger/vocabulary';
import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import { reopenSnapshots } from '../scores/reopen-snapshots.ts';
import { transact, type Session } from '../transaction.ts';
import { expectations } from './expectations.ts';

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

type Rebuilt = (typeof REBUILT)[number];

/**
 * Makes every rollup of an organization anew: sums over reports at once, while nobody else may write them, and all keys
 * of sources as dirty ones, for the repair that follows. Snapshots are computed again from the first day whose sums were
 * wrong, final or not; what waited to be computed still does.
 */
export async function rebuildRollups(database: Database, orgId: string): Promise<void> {
  await transact(
    database,
    async (session) => {
      const { db, query } = session;
      await query(`lock table ${REBUILT.join(', ')} in share row exclusive mode`);
      const corrected: Day[] = [];
      for (const table of REBUILT) {
        const day = table === 'domain_day' || table === 'org_day' ? await firstWrongDay(session, orgId, table) : null;
        if (day !== null) corrected.push(day);
        await (table === 'org_total' ? correctTotals(session, orgId) : replaceRows(session, orgId, table));
      }
      const [first] = corrected.toSorted();
      if (first !== undefined) await reopenSnapshots(db, orgId, first);
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

function rowsOf(table: Rebuilt): { columns: string; expected: string; held: string } {
  const { expected, held } = expectations.find((expectation) => expectation.table === table)!;
  return { columns: held.slice('select '.length, held.indexOf(' from ')), expected, held };
}

/** The first day of which a score would have been computed from other sums than the right ones. */
async function firstWrongDay({ db }: Session, orgId: string, table: 'domain_day' | 'org_day'): Promise<Day | null> {
  const { columns, expected, held } = rowsOf(table);
  const scored = columns.replace(', forwarded', '');
  const text = `
    with expected as (select ${scored} from (${expected}) e (${columns})), held as (select ${scored} from (${held}) h)
    select min(day)::text as day from (
      (table expected except all table held) union all (table held except all table expected)) differing`;
  const { rows } = await db.executeQuery<{ day: Day | null }>(CompiledQuery.raw(text, [orgId]));
  return rows[0]!.day;
}

async function replaceRows({ query }: Session, orgId: string, table: Rebuilt): Promise<void> {
  const { columns, expected } = rowsOf(table);
  await query(`delete from ${table} where org_id = $1`, [orgId]);
  await query(`insert into ${table} (org_id, ${columns}) select $1, e.* from (${expected}) e`, [orgId]);
}

/** In their place, for they hold more than sums; where no report is left, they are of nothing. */
async function correctTotals({ query }: Session, orgId: string): Promise<void> {
  const { columns, expected } = rowsOf('org_total');
  const names = columns.split(', ');
  const [zeros, sums] = [names.map((name) => `${name} = 0`), names.map((name) => `${name} = excluded.${name}`)];
  await query(`update org_total set ${zeros.join(', ')}, changes = changes + 1 where org_id = $1`, [orgId]);
  await query(
    `insert into org_total (org_id, ${columns}, snapshots_due_at) select $1, e.*, ledger_now() from (${expected}) e
     on conflict (org_id) do update set ${sums.join(', ')}`,
    [orgId],
  );
}
