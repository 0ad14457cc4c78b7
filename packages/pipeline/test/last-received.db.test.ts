import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';
import type { TestMailbox } from './mailboxes.ts';
import { mailOfReport, openMailLedger, placementJson, SERVER, tlsJson } from './other-reports.ts';

let whole: Ledger;
let ledger: Ledger;
let mailbox: TestMailbox;
beforeAll(async () => {
  whole = await openLedger('Postgres');
});
afterAll(() => whole[Symbol.asyncDispose]());
beforeEach(async () => {
  ({ ledger, mailbox } = await openMailLedger(await whole.another()));
});

const policy = { 'policy-type': 'sts', 'policy-string': [], 'policy-domain': 'shop.example', 'mx-host': [] };
const tls = (failures: number) =>
  tlsJson({
    policies: [{ policy, summary: { 'total-successful-session-count': 1, 'total-failure-session-count': failures } }],
  });
const placement = (spam: number) => placementJson({}, { segment: 'retail', classification: { spam, inbox: 1_000 } });

const mailed = (hour: number, content: Buffer, subject?: string) =>
  mailOfReport({ hour, result: 'pass', server: SERVER, ...(subject !== undefined && { subject }) }, content);

/** The number that each held report has, and the transactions that wrote its rows. */
async function held(): Promise<{ figures: string; written: string }[]> {
  const { rows } = await ledger.database.pool.query<{ figures: string; written: string }>(
    `select failures::text as figures, xmin::text as written from tlsrpt_report where org_id = $1
     union all select r.classification::text, concat(r.xmin, ' ', a.xmin) from aprf_row r join aprf_report a
       on a.id = r.report_id and a.org_id = r.org_id where r.org_id = $1`,
    [ledger.orgId],
  );
  return rows;
}

describe.each([
  ['TLS', tls],
  ['placement', placement],
])('of the copies of a %s report', (_, make) => {
  const [x, y] = [make(900), make(2)];
  const contentAt = (hour: number) => (hour === 2 ? y : x);

  it.each([
    ['1, 2, 3', [1, 2, 3]],
    ['3, 1, 2', [3, 1, 2]],
    ['2, 1, 3', [2, 1, 3]],
    ['2, 3, 1', [2, 3, 1]],
    ['1, 3, 2', [1, 3, 2]],
  ])('the one received last is held, also one that came before, fetched in the order %s', async (__, hours) => {
    for (const hour of hours) {
      await mailbox.bring(mailed(hour, contentAt(hour)));
      await ledger.settled();
    }
    expect(await held()).toEqual([{ figures: expect.stringMatching(/900/), written: expect.anything() }]);
    expect(ledger.faults).toEqual([]);
  });

  it('the one received last is held when all are read together', async () => {
    await mailbox.bring(...[1, 2, 3].map((hour) => mailed(hour, contentAt(hour))));
    await ledger.settled();
    expect(await held()).toEqual([{ figures: expect.stringMatching(/900/), written: expect.anything() }]);
  });

  it('none changes when all of them come again, by mail or by hand', async () => {
    for (const hour of [1, 2, 3]) await mailbox.bring(mailed(hour, contentAt(hour)));
    await ledger.settled();
    const before = await held();
    for (const hour of [1, 2, 3]) await mailbox.bring(mailed(hour, contentAt(hour), 'Again'));
    await ledger.settled();
    await ledger.handIn(gzipSync(y), gzipSync(x));
    await ledger.settled();
    expect(await held()).toEqual(before);
    expect(ledger.faults).toEqual([]);
  });
});
