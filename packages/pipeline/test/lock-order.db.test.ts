import { removeReport, saveClasses } from '@dmarc-ledger/ledger';
import { type Session, transact } from '@dmarc-ledger/schema';
import { reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';
import { PATIENCE } from './taken-in.ts';

let ledger: Ledger;
let record: { reportId: string; position: number; day: string };

beforeAll(async () => {
  ledger = await openLedger('Postgres');
  await ledger.handIn(reportXml({ records: [{ ip: '192.0.2.1', count: 5, dkim: 'fail', spf: 'fail' }] }));
  await ledger.settled();
  await ledger.stopIntake();
  record = await ledger.database.db
    .selectFrom('stored_record')
    .select(['report_id as reportId', 'position', 'day'])
    .executeTakeFirstOrThrow();
});
afterAll(() => ledger[Symbol.asyncDispose]());

it.each<[string, (session: Session) => Promise<unknown>]>([
  [
    'a change of class',
    (session) => saveClasses(session, ledger.orgId, [{ ...record, class: 'likely_forwarded', isProved: false }]),
  ],
  ['the removal of a report', (session) => removeReport(session, ledger.orgId, { id: record.reportId })],
])('%s locks no day while it waits for the totals, which storing locks first', async (_, work) => {
  const { database } = ledger;
  let working: Promise<unknown> | undefined;
  await database.db.transaction().execute(async (db) => {
    await sql`select from org_total for update`.execute(db);
    working = transact(database, work);
    await vi.waitFor(async () => {
      // not in this transaction, which keeps the activity that it has seen first
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database.db,
      );
      expect(rows).toHaveLength(1);
    }, PATIENCE);
    await sql`select from domain_day for update nowait`.execute(db);
    await sql`select from org_day for update nowait`.execute(db);
  });
  await working;
});
