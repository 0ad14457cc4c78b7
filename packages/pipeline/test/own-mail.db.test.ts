import { addDays, startOfDay } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-06-10';
const YESTERDAY = addDays(TODAY, -1);
const own = { ip: '45.0.0.2', count: 1_000, dkim: 'pass', spf: 'pass' } as const;
const forged = { ip: '45.0.0.9', count: 9_000 };

let fixture: EventFixture;
let number = 0;
beforeEach(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
  await twoWeeks();
});
afterEach(() => fixture[Symbol.asyncDispose]());

type Records = NonNullable<Parameters<EventFixture['arrive']>[0]['records']>;

const report = (ago: number, ...records: Records) => ({
  id: `r-${(number += 1)}`,
  begin: startOfDay(addDays(TODAY, -ago)),
  records,
});
const arrive = (ago: number, ...records: Records) => fixture.arrive(report(ago, ...records));
/** Own mail of the two weeks before yesterday. */
const twoWeeks = () => fixture.arrive(...Array.from({ length: 14 }, (_, i) => report(15 - i, own)));

async function drops(hours: number): Promise<string[]> {
  fixture.itIs(TODAY, hours, 1);
  await fixture.look();
  return (await fixture.events())
    .filter(({ type }) => type.endsWith('_drop'))
    .map(({ key, message }) => `${key} ${message}`);
}

it('forged mail that fails is no drop of compliance, however much it is', async () => {
  await arrive(1, own, forged);
  expect(await drops(6)).toEqual([]);
});

it('mail of an own source that fails is a drop, whatever forged mail there is beside it', async () => {
  await arrive(1, { ...own, count: 850 }, { ip: own.ip, count: 150 }, forged);
  expect(await drops(6)).toEqual([
    `compliance_drop/example.com/${YESTERDAY} 85% of mail from example.com passed on ${YESTERDAY}, down from 100%.`,
  ]);
});

it('a source that passed 90 days before is own, and one that passed 91 days before is not', async () => {
  await arrive(91, { ...own, ip: '45.0.0.3', count: 1 });
  await arrive(1, own, { ip: '45.0.0.3', count: 1_000 });
  expect(await drops(6)).toHaveLength(1);
  await fixture[Symbol.asyncDispose]();
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
  await twoWeeks();
  await arrive(92, { ...own, ip: '45.0.0.3', count: 1 });
  await arrive(1, own, { ip: '45.0.0.3', count: 1_000 });
  expect(await drops(6)).toEqual([]);
});
