import { reportXml } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';
import { findOrgTotal, findReports } from './reads.ts';

const ROUNDS = 4;
const EACH = 40;
const patient = { timeout: 60_000, interval: 10 };

let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger('Redis');
});
afterEach(() => ledger[Symbol.asyncDispose]());

describe.each<[string, (ledger: Ledger) => Promise<void>]>([
  ['everything in Redis is deleted', ({ redis }) => redis!.flushAll()],
  ['Redis is started anew, empty,', ({ redis }) => redis!.restart()],
])('when %s in the middle of work', (_, disturb) => {
  it('loses nothing and counts nothing twice', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await ledger.handIn(...Array.from({ length: EACH }, (_, i) => reportXml({ id: `r${round}-${i}`, records })));
      const last = EACH * (round + 1);
      await vi.waitFor(() => expect(isUnderWay(last)).resolves.toBe(true), patient);
      await disturb(ledger);
    }
    await ledger.settled();
    const { total } = await findReports(ledger, {});
    expect(total).toBe(ROUNDS * EACH);
    expect(await findOrgTotal(ledger)).toEqual({ reports: total, messages: total * 7 });
    expect(await classesOf()).toEqual([
      { class: 'authenticated', messages: total * 4 },
      { class: 'needs_review', messages: total * 3 },
    ]);
    expect(await ledger.drift()).toBe(0);
  });
});

it('takes in and counts while Redis is away, and judges when it is back', async () => {
  await ledger.redis!.stop();
  const [id] = await ledger.handIn(reportXml({ id: 'meanwhile', records }));
  await vi.waitFor(() => expect(ledger.stateOf(id!)).resolves.toBe('stored'), patient);
  expect(await findOrgTotal(ledger)).toEqual({ reports: 1, messages: 7 });
  await ledger.redis!.restart();
  await ledger.settled();
  expect(await classesOf()).toHaveLength(2);
  expect(await ledger.drift()).toBe(0);
});

const records = [
  { ip: '192.0.2.1', count: 4, dkim: 'pass' as const },
  { ip: '192.0.2.2', count: 3 },
];

/** Whether some stored reports still wait to be judged, or all are stored, where that was too quick to be seen. */
async function isUnderWay(last: number): Promise<boolean> {
  const waiting = ledger.database.db.selectFrom('unjudged_report').select('report_id');
  return (await waiting.executeTakeFirst()) !== undefined || (await findReports(ledger, {})).total === last;
}

async function classesOf() {
  return await ledger.database.db
    .selectFrom('report_record')
    .select(['class', (eb) => eb.fn.sum<number>('messages').as('messages')])
    .groupBy('class')
    .orderBy('class')
    .execute();
}
