import { findMessage } from '@dmarc-ledger/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replayDeliveries } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import type { TestMailbox } from './mailboxes.ts';
import { failureMail, mailOfReport, openMailLedger, placementJson, SERVER, tlsJson } from './other-reports.ts';

const DAY_SECONDS = 86_400;

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

/** The hour of the mail, and whether it passed DMARC. */
type Mailed = [hour: number, result: 'pass' | 'fail'];
const mailed = ([hour, result]: Mailed, content: Buffer) => mailOfReport({ hour, result, server: SERVER }, content);

const yesterday = new Date(Date.now() - DAY_SECONDS * 1_000).toISOString().slice(0, 10);
const REPORTS = {
  tls: (failures: number) =>
    tlsJson({
      'date-range': { 'start-datetime': `${yesterday}T00:00:00Z`, 'end-datetime': `${yesterday}T23:59:59Z` },
      policies: [
        {
          policy: { 'policy-type': 'sts', 'policy-string': [], 'policy-domain': 'shop.example', 'mx-host': [] },
          summary: { 'total-successful-session-count': 1, 'total-failure-session-count': failures },
        },
      ],
    }),
  placement: (spam: number) =>
    placementJson(
      { report_start: Date.parse(yesterday) / 1_000, report_end: Date.parse(yesterday) / 1_000 + DAY_SECONDS - 1 },
      { segment: 'retail', classification: { spam, inbox: 1_000 } },
    ),
  failure: () => failureMail({}),
};

async function bring(...mails: Buffer[]): Promise<void> {
  await mailbox.bring(...mails);
  await ledger.settled();
}

async function events(): Promise<string[]> {
  const { db } = ledger.database;
  const rows = await db.selectFrom('event').select('type').where('org_id', '=', ledger.orgId).orderBy('type').execute();
  return rows.map(({ type }) => type);
}

async function deliveries(): Promise<{ id: string }[]> {
  const { db } = ledger.database;
  return await db.selectFrom('raw_message').select('id').where('org_id', '=', ledger.orgId).orderBy('id').execute();
}

async function states(): Promise<string[]> {
  const { db } = ledger.database;
  const messages = await Promise.all((await deliveries()).map(({ id }) => findMessage(db, ledger.orgId, id)));
  return messages.map((message) => message!.state);
}

describe.each([
  ['tls', 'tls_failures', 'tlsrpt_report'],
  ['placement', 'aprf_spam_placement', 'aprf_report'],
  ['failure', 'forensic_report_received', 'failure_report'],
] as const)('a %s report', (kind, type, table) => {
  const report = REPORTS[kind](900);
  const held = async () =>
    await ledger.database.db.selectFrom(table).select(['authenticated']).where('org_id', '=', ledger.orgId).execute();

  it.each<[string, Mailed, Mailed]>([
    ['later', [1, 'fail'], [2, 'pass']],
    ['earlier', [2, 'fail'], [1, 'pass']],
  ])(
    'that came in a mail that failed DMARC raises its event when one that passed brings it, received %s',
    async (_, failing, passing) => {
      await bring(mailed(failing, report));
      expect(await events()).toEqual([]);
      expect(await held()).toEqual([{ authenticated: false }]);
      await bring(mailed(passing, report));
      expect(await events()).toEqual([type]);
      expect(await held()).toEqual([{ authenticated: true }]);
      expect(await states()).toEqual(['stored', 'stored']);
      await bring(mailed([3, 'pass'], report), mailed([4, 'fail'], report));
      expect(await states()).toEqual(['stored', 'stored', 'duplicate', 'duplicate']);
      expect(await held()).toEqual([{ authenticated: true }]);
      expect(await events()).toEqual([type]);
      expect(ledger.faults).toEqual([]);
    },
  );

  it('that comes in both at once raises its event', async () => {
    await bring(mailed([3, 'fail'], report), mailed([1, 'pass'], report), mailed([2, 'fail'], report));
    expect(await events()).toEqual([type]);
    expect(await held()).toEqual([{ authenticated: true }]);
  });

  it('stays proved when either delivery is replayed', async () => {
    await bring(mailed([1, 'fail'], report));
    await bring(mailed([2, 'pass'], report));
    const { db } = ledger.database;
    const ids = await deliveries();
    for (const { id } of [...ids, ...ids.toReversed()]) {
      await replayDeliveries(ledger, ledger.orgId, { id });
      await ledger.settled();
      expect(await held()).toEqual([{ authenticated: true }]);
      expect(await db.selectFrom(table).select('message_id').where('org_id', '=', ledger.orgId).execute()).toEqual([
        { message_id: ids[1]!.id },
      ]);
    }
    expect(ledger.faults).toEqual([]);
  });

  it('that comes only in mails that failed raises none', async () => {
    await bring(mailed([1, 'fail'], report));
    await bring(mailed([2, 'fail'], report));
    expect(await events()).toEqual([]);
    expect(await states()).toEqual(['stored', 'duplicate']);
  });

  it('that failing mail has brought raises its event when its owner uploads it', async () => {
    await bring(mailed([1, 'fail'], report));
    await ledger.handIn(report);
    await ledger.settled();
    expect(await events()).toEqual([type]);
  });
});

it.each([
  ['tls', REPORTS.tls],
  ['placement', REPORTS.placement],
])('a later mail that failed DMARC does not replace a %s report, and one that passed does', async (_, make) => {
  const [first, forged, second] = [make(900), make(2), make(800)];
  const contents = async () => {
    const { rows } = await ledger.database.pool.query<{ sha256: string }>(
      `select encode(payload_sha256, 'hex') as sha256 from tlsrpt_report where org_id = $1
       union all select encode(payload_sha256, 'hex') from aprf_report where org_id = $1`,
      [ledger.orgId],
    );
    return rows.map(({ sha256 }) => sha256);
  };
  await bring(mailed([1, 'pass'], first));
  const [before] = await contents();
  await bring(mailed([2, 'fail'], forged));
  expect(await contents()).toEqual([before]);
  await bring(mailed([3, 'pass'], second));
  const [after, ...more] = await contents();
  expect(more).toEqual([]);
  expect(after).not.toBe(before);
  await bring(mailed([4, 'pass'], forged)); // which failing mail was the first to bring
  const [last] = await contents();
  expect([before, after]).not.toContain(last);
});
