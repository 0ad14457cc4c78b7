import { hash, randomUUID } from 'node:crypto';
import { createOrganization } from '@dmarc-ledger/ledger';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** `npm run soak` has 20. */
const ROUNDS = Number(process.env['ARRIVAL_ROUNDS'] ?? 1);

const small = { ip: '192.0.2.7', count: 3 };
const plain = reportXml({ records: [small] });
/** Copies of one report. The second has the content of the first; the third has more records; the fourth differs. */
const COPIES = [
  plain,
  Buffer.concat([plain, Buffer.from('\n')]),
  reportXml({ records: [small, { ip: '192.0.2.8', count: 4, dkim: 'pass' }] }),
  reportXml({ records: [{ ip: '192.0.2.9', count: 900 }] }),
];

/** One way in which a copy arrives: uploaded, or by a mail that passed as the reporter, failed, or has no result. */
interface Arrival {
  copy: number;
  by: 'file' | 'mail as a file' | 'mail';
  verdict: 'pass' | 'fail' | null;
  hour: number;
}

const arrival: fc.Arbitrary<Arrival> = fc.record({
  copy: fc.nat(COPIES.length - 1),
  by: fc.constantFrom('file' as const, 'mail as a file' as const, 'mail' as const, 'mail' as const),
  verdict: fc.constantFrom('pass' as const, 'fail' as const, null),
  hour: fc.nat(3),
});

const contentOf = ({ copy, by, verdict, hour }: Arrival) =>
  by === 'file'
    ? COPIES[copy]!
    : reportMail({
        xml: COPIES[copy]!,
        receivedAt: new Date(Date.UTC(2026, 0, 2, hour)),
        authenticationResults: verdict ? `mx.ours.example; dmarc=${verdict}` : undefined,
      });

/**
 * Lets the arrivals come to an organization of their own, some of them at once, and returns the state of its ledger.
 */
async function outcomeOf(arrivals: readonly Arrival[], pauses: readonly boolean[]) {
  const { id: orgId } = await createOrganization(ledger.database.db, { name: randomUUID() });
  const place = { ...ledger, orgId };
  const mailbox = await openMailbox(place, { authservIds: ['mx.ours.example'] });
  for (const [i, one] of arrivals.entries()) {
    if (one.by === 'mail') await mailbox.bring(contentOf(one));
    else await receive(place, contentOf(one));
    if (pauses[i % pauses.length]) await settled(place);
  }
  await settled(place);
  return { drift: await driftOf(place), ...(await stateOf(orgId)) };
}

async function stateOf(orgId: string) {
  const { db } = ledger.database;
  const report = await db.selectFrom('report').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow();
  const total = await db
    .selectFrom('org_total') // its figures; when snapshots are due is a matter of the clock
    .select(['reports', 'messages', 'compliant', 'spf_pass', 'dkim_pass', 'domains', 'sources', 'failing_sources'])
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  const revisions = await db
    .selectFrom('report_revision')
    .select(['payload_sha256', 'authenticated', 'mail_received_at', 'settled'])
    .where('org_id', '=', orgId)
    .orderBy('payload_sha256')
    .execute();
  const warnings = await db
    .selectFrom('parse_warning')
    .select('code')
    .where('org_id', '=', orgId)
    .orderBy('code')
    .execute();
  const counted = COPIES.findIndex((copy) => sha256(copy).equals(report.payload_sha256));
  return {
    counted: counted === 1 ? 0 : counted, // the content of both is equal: either may stand for both
    messages: report.messages,
    total,
    revisions,
    warnings: warnings.map(({ code }) => code),
  };
}

const sha256 = (bytes: Buffer) => hash('sha256', bytes, 'buffer');

/** The failed scenarios. */
function report({ failed, errorInstance }: { failed: boolean; errorInstance: unknown }): void {
  if (failed) throw errorInstance as Error;
}

it('counts the same copy with the same figures and warnings, in whatever order and company copies arrive', async () => {
  const scenario = fc.array(arrival, { minLength: 2, maxLength: 6 }).chain((arrivals) =>
    fc.record({
      arrivals: fc.constant(arrivals),
      orders: fc.array(
        fc.record({
          order: fc.shuffledSubarray(arrivals, { minLength: arrivals.length }),
          pauses: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
        }),
        { minLength: 2, maxLength: 2 },
      ),
    }),
  );
  const scenarios = fc.array(scenario, { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(scenarios, async (list) => {
      await Promise.all(
        list.map(async ({ arrivals, orders }) => {
          const [first, ...others] = await Promise.all([
            outcomeOf(arrivals, [false]),
            ...orders.map(({ order, pauses }) => outcomeOf(order, pauses)),
          ]);
          expect(first).toMatchObject({ drift: 0 });
          for (const other of others) expect({ arrivals, ...other }).toEqual({ arrivals, ...first });
        }),
      );
    }),
    { numRuns: ROUNDS, endOnFailure: true, reporter: report },
  );
  expect(ledger.faults).toEqual([]);
});

it.each([
  ['pass', true],
  ['fail', null],
] as const)(
  'knows of a mail with dmarc=%s the same, whether its owner uploads it before or after',
  async (verdict, expected) => {
    const mail: Arrival = { copy: 0, by: 'mail', verdict, hour: 0 };
    const upload: Arrival = { ...mail, by: 'mail as a file' };
    const orders = [
      [mail, upload],
      [upload, mail],
    ].flatMap((order) => [
      { order, pauses: [true] },
      { order, pauses: [false] },
    ]);
    const outcomes = await Promise.all(orders.map(({ order, pauses }) => outcomeOf(order, pauses)));
    const known = outcomes.map(({ revisions }) => revisions.map(({ authenticated }) => authenticated));
    expect(known).toEqual(orders.map(() => [expected]));
  },
);

it('never lets a forged copy displace that of the reporter, and lets the reporter displace a forged one', async () => {
  const forged: Arrival = { copy: 3, by: 'mail', verdict: 'fail', hour: 0 };
  const genuine: Arrival = { copy: 0, by: 'mail', verdict: 'pass', hour: 3 };
  const outcomes = await Promise.all([outcomeOf([forged, genuine], [true]), outcomeOf([genuine, forged], [true])]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ counted: 0, messages: 3, warnings: ['duplicate_report_id_conflict'] });
});

it('warns of a report whose mail was not the reporter’s, until a mail of the reporter brings the same', async () => {
  const forged: Arrival = { copy: 0, by: 'mail', verdict: 'fail', hour: 0 };
  expect(await outcomeOf([forged], [true])).toMatchObject({ messages: 3, warnings: ['report_mail_unauthenticated'] });
  expect(await outcomeOf([forged, { ...forged, verdict: 'pass' }], [true])).toMatchObject({
    messages: 3,
    warnings: [],
  });
});
