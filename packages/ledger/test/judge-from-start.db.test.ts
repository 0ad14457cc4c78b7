import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrganization } from '../src/index.ts';
import { judgeFromStart } from '../src/reports/judge-from-start.ts';

let database: ClonedDatabase;
let orgId: string;
let reportId: string;
beforeAll(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  [reportId = ''] = await givenReports(database.db, orgId, [{}]);
});
afterAll(() => database[Symbol.asyncDispose]());

it.each([
  ['that waits for nothing is aligned', null, { step: 'align', is_judged: false }],
  [
    'that waits for its alignment goes on waiting',
    { step: 'align', is_judged: false },
    { step: 'align', is_judged: false },
  ],
  [
    'that waits for its classes is aligned again',
    { step: 'classify', is_judged: false },
    { step: 'align', is_judged: false },
  ],
  [
    'that waits to be read again is judged afterwards',
    { step: 'reread', is_judged: true },
    { step: 'reread', is_judged: false },
  ],
] as const)('a report whose judgement is wrong and %s', async (_, before, after) => {
  const { pool } = database;
  await pool.query('delete from unjudged_report');
  if (before)
    await pool.query('insert into unjudged_report (org_id, report_id, step, is_judged) values ($1, $2, $3, $4)', [
      orgId,
      reportId,
      before.step,
      before.is_judged,
    ]);
  await transact(database, (session) => judgeFromStart(session, orgId, [reportId]));
  const { rows } = await pool.query('select step, is_judged from unjudged_report where report_id = $1', [reportId]);
  expect(rows).toEqual([after]);
});
