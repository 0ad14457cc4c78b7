import { removeReports } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdStatement } from './held-statement.ts';
import { openSteps, type Steps } from './steps.ts';

/** With what a transaction begins. */
const BEGIN = 'begin; set local plan_cache_mode = force_generic_plan';
/** An address that is never looked up: its mail says what it is. */
const source = { ip: '192.0.2.8', count: 5 };

let steps: Steps;
beforeEach(async () => {
  steps = await openSteps();
});
afterEach(() => steps[Symbol.asyncDispose]());

it('says what a source is that comes back after its only report was purged while that was judged', async () => {
  const { database, orgId } = steps;
  await steps.takeIn({ records: [source] });
  await using held = holdStatement(database.url, BEGIN);
  const aligning = steps.align('r-1', held.database);
  await held.reached; // its source has been read, and is not noted yet
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  held.letGo();
  await aligning;
  await steps.judgeWaiting();
  await steps.takeIn({ id: 'r-2', records: [source] });
  await steps.align('r-2');
  await steps.judgeWaiting();
  const standings = await database.db.selectFrom('source_standing').select('source_ip').execute();
  expect(standings).toEqual([{ source_ip: source.ip }]);
});
