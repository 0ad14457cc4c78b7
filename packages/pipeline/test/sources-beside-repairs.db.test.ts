import { removeReports } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { DAY_ONE } from '@dmarc-ledger/testkit';
import { addDays, dayOf, startOfDay } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSteps, type Steps } from './steps.ts';

// A better copy replaces the counted one at once, and the sums of its sources follow later.

const known = { ip: '192.0.2.8', count: 4 };
const brought = { ip: '45.0.0.1', count: 5 };
const passing = { ...brought, dkim: 'pass', spf: 'pass' } as const;
/** The second copy has all records of the first, and more, so that it becomes the counted one. */
const COPIES = [{ records: [known] }, { records: [known, brought] }];

let steps: Steps;
beforeEach(async () => {
  steps = await openSteps();
});
afterEach(() => steps[Symbol.asyncDispose]());

/** What is stored of the address that a copy brings. */
const standing = () =>
  steps.database.db
    .selectFrom('source_standing')
    .select('abuse_status')
    .where('source_ip', '=', brought.ip)
    .executeTakeFirst();

it('judges mail that a better copy has brought by newer facts, also before the sums follow', async () => {
  await steps.takeIn(...COPIES);
  await steps.settle('r-1');
  await steps.align('r-1');
  await steps.classify('r-1');
  await steps.rate(brought.ip, 90);
  await steps.judge(brought.ip);
  await steps.repair();
  await steps.judgeWaiting();
  const { class: named } = await steps.database.db
    .selectFrom('report_record')
    .select('class')
    .where('source_ip', '=', brought.ip)
    .executeTakeFirstOrThrow();
  expect(named).toBe('suspicious');
  expect(await steps.drift()).toBe(0);
});

it('says what a source is that a better copy has brought, once its sums are there', async () => {
  await steps.takeIn({ records: [known] }, { records: [known, passing] });
  await steps.settle('r-1');
  await steps.align('r-1');
  await steps.rate(brought.ip, 90);
  await steps.judge(brought.ip);
  await steps.repair();
  await steps.judgeWaiting();
  expect(await standing()).toEqual({ abuse_status: 'malicious' });
  expect(await steps.database.db.selectFrom('unjudged_source').select('source_ip').execute()).toEqual([]);
});

it('keeps what is known of a source that leaves with a purged report while another copy brings it', async () => {
  const next = { id: 'r-2', begin: DAY_ONE + 86_400 };
  const old = { records: [known, brought] };
  await steps.takeIn(old, { ...next, records: [known] }, { ...next, ...old });
  for (const report of ['r-1', 'r-2']) {
    await steps.align(report);
    await steps.classify(report);
  }
  await steps.rate(brought.ip, 40);
  await steps.judgeWaiting();
  await steps.settle('r-2');
  await steps.align('r-2');
  await steps.classify('r-2');
  const { database, orgId } = steps;
  const longAgo = new Date(0);
  await database.db.updateTable('report').set({ received_at: longAgo }).where('report_id', '=', 'r-1').execute();
  await transact(database, (session) => removeReports(session, orgId, new Date(1)));
  await steps.repair();
  await steps.judgeWaiting();
  expect(await standing()).toEqual({ abuse_status: 'suspicious' });
  await steps.rate(brought.ip, 90);
  await steps.judgeWaiting();
  expect(await standing()).toEqual({ abuse_status: 'malicious' });
  expect(await steps.drift()).toBe(0);
});

it('has the event rules look at a new source whose mail was judged before its sums were there', async () => {
  const begin = startOfDay(addDays(dayOf(Date.now() / 1000), -1));
  const first = { id: 'r-0', begin, records: [{ ...passing, count: 1 }] };
  await steps.takeIn(first, { begin, records: [known] }, { begin, records: [known, { ...passing, count: 30 }] });
  await steps.align('r-0');
  await steps.classify('r-0');
  await steps.rate(brought.ip, 0);
  await steps.judgeWaiting();
  await steps.settle('r-1');
  await steps.align('r-1');
  await steps.classify('r-1');
  await steps.judgeWaiting();
  const due = () => steps.database.db.selectFrom('event_source').select('source_ip').execute();
  expect(await due()).toEqual([]);
  await steps.repair();
  expect(await due()).toEqual([{ source_ip: brought.ip }]);
});
