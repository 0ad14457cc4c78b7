import { type Database, type Session, transact } from '@dmarc-ledger/schema';
import { CompiledQuery } from 'kysely';
import { CORRECT_PROOF, WRONG_PROOF } from './measure-proof.ts';
import { reopenSnapshots } from '../due-work/reopen-snapshots.ts';
import { holdReports } from '../reports/hold-reports.ts';
import { correctRows, firstWrongDay } from './correct-rows.ts';
import { repairSignatures } from './wrong-signatures.ts';
import { CORRECT_MARKS, WRONG_MARKS } from './unauthenticated-marks.ts';
import { expectationOf } from './expectations.ts';

/** The rollups that are sums over reports alone, and their keys, in the order in which storing locks them. */
const CORRECTED = {
  report_count_day: ['domain_id', 'end_day', 'begin_day', 'result'],
  org_report_count_day: ['end_day', 'begin_day', 'result'],
  report_count_reporter: ['reporter_id', 'domain_id', 'result'],
  domain_day: ['domain_id', 'day'],
  org_day: ['day'],
  domain_total: ['domain_id'],
};
/**
 * Corrects every rollup of an organization: corrects wrong sums over reports, and marks all keys of sources for repair.
 * Reports may be stored meanwhile, as only rows are locked. Snapshots are recomputed from the first day with wrong
 * sums, final or not. May be interrupted at any point and run again.
 */
export async function rebuildRollups(database: Database, orgId: string): Promise<void> {
  for (const marks of [
    { wrong: WRONG_MARKS, correct: CORRECT_MARKS },
    { wrong: WRONG_PROOF, correct: CORRECT_PROOF },
  ])
    await transact(database, (session) => correctMarks(session, orgId, marks), { unlimited: true });
  await repairSignatures(database, orgId);
  await forgetEnforcementDays(database, orgId);
  for (const [table, key] of Object.entries(CORRECTED))
    await transact(
      database,
      async (session) => {
        const first = isScored(table) ? await firstWrongDay(session, orgId, table) : null;
        await correctRows(session, orgId, table, key);
        if (first !== null) await reopenSnapshots(session.db, orgId, first);
      },
      { unlimited: true },
    );
  await transact(
    database,
    async (session) => {
      await markAllDirty(session, orgId);
      await correctTotals(session, orgId);
    },
    { unlimited: true },
  );
}

/** Corrects marks of reports once they are locked: mail that comes meanwhile may have set them right. */
async function correctMarks(
  session: Session,
  orgId: string,
  { wrong, correct }: { wrong: string; correct: string },
): Promise<void> {
  const found = await session.db.executeQuery<{ id: string }>(CompiledQuery.raw(wrong, [orgId]));
  const held = await holdReports(
    session,
    orgId,
    found.rows.map(({ id }) => id),
  );
  if (held.size > 0) await session.query(correct, [orgId, [...held]]);
}

/** Days without stored sums are read from the records, until their sums are computed again. */
async function forgetEnforcementDays(database: Database, orgId: string): Promise<void> {
  await database.db.deleteFrom('enforcement_day').where('org_id', '=', orgId).execute();
}

/** Scores are computed from these tables. */
function isScored(table: string): table is 'domain_day' | 'org_day' {
  return table === 'domain_day' || table === 'org_day';
}

async function markAllDirty({ query }: Session, orgId: string): Promise<void> {
  await query(
    `insert into rollup_dirty (org_id, source_ip, day, domain_id)
     select org_id, source_ip, day, domain_id from stored_record where org_id = $1
     union select org_id, source_ip, day, domain_id from source_domain_day where org_id = $1`,
    [orgId],
  );
}

/**
 * Updates in place, as these rows hold more than sums. The first statement locks the row; the second sees what is
 * committed.
 */
async function correctTotals({ db, query }: Session, orgId: string): Promise<void> {
  const { columns, expected } = expectationOf('org_total');
  const sums = columns.map((name) => `${name} = coalesce(e.${name}, 0)`);
  await query(
    'insert into org_total (org_id, reports, messages, compliant, spf_pass, dkim_pass, snapshots_due_at) ' +
      'values ($1, 0, 0, 0, 0, 0, ledger_now()) on conflict (org_id) do update set reports = org_total.reports',
    [orgId],
  );
  await db.executeQuery(
    CompiledQuery.raw(
      `update org_total t set ${sums.join(', ')}, changes = t.changes + 1
       from (select 1) one left join (${expected}) e (${columns.join(', ')}) on true where t.org_id = $1`,
      [orgId],
    ),
  );
}
