import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { receiveMessages } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox, type TestMailbox } from './mailboxes.ts';
import { failureMail, mailOfReport, placementJson, tlsJson } from './other-reports.ts';

const SERVER = 'mx.ours.example';
let whole: Ledger;
let ledger: Ledger;
let mailbox: TestMailbox;
beforeAll(async () => {
  whole = await openLedger('Postgres');
});
afterAll(() => whole[Symbol.asyncDispose]());
beforeEach(async () => {
  ledger = await whole.another();
  mailbox = await openMailbox(ledger, { authservIds: [SERVER] });
});

async function bring(mail: Buffer): Promise<void> {
  await mailbox.bring(mail);
  await ledger.settled();
}

async function upload(mail: Buffer): Promise<void> {
  await receiveMessages(ledger, ledger.orgId, [{ content: mail, source: 'upload', name: null }]);
  await ledger.settled();
}

async function deleteBytes(): Promise<void> {
  await sql`update raw_message set bytes_purged_at = now() where org_id = ${ledger.orgId}`.execute(ledger.database.db);
}

/** What the mails of the one report say about its sender. */
async function evidence(): Promise<(boolean | null)[]> {
  const { rows } = await sql<{ authenticated: boolean | null }>`
    select authenticated from (
      select org_id, authenticated from report_revision union all select org_id, authenticated from tlsrpt_report
      union all select org_id, authenticated from aprf_report union all select org_id, authenticated from failure_report
    ) as held where org_id = ${ledger.orgId}`.execute(ledger.database.db);
  return rows.map(({ authenticated }) => authenticated);
}

const failing = (content: Buffer) => mailOfReport({ hour: 1, result: 'fail', server: SERVER }, content);
const aggregate = (subject: string) =>
  reportMail({
    xml: reportXml({ id: 'x' }),
    subject,
    authenticationResults: `${SERVER}; dmarc=fail header.from=reporter.example`,
  });

describe.each([
  ['an aggregate report', aggregate('Report')],
  ['a TLS report', failing(tlsJson({}))],
  ['a placement report', failing(placementJson({}))],
  ['a failure report', failing(failureMail({}))],
])('a mail with %s that failed', (_, mail) => {
  it.each([
    ['after', [bring, upload]],
    ['before', [upload, bring]],
    ['after its bytes were deleted, after', [bring, deleteBytes, upload]],
  ])('says nothing against the report when its owner uploads the mail %s it came', async (__, steps) => {
    for (const step of steps) await step(mail);
    expect(await evidence()).toEqual([null]);
    expect(ledger.faults).toEqual([]);
  });
});

it('a failing mail that its owner uploads proves the report too when another failing mail had brought it first', async () => {
  await bring(aggregate('First'));
  await bring(aggregate('Second'));
  expect(await evidence()).toEqual([false]);
  await upload(aggregate('Second'));
  expect(await evidence()).toEqual([null]);
});

it.each([
  ['after', [bring, upload]],
  ['before', [upload, bring]],
])(
  'a held report beside a document that cannot be read counts when its owner uploads the mail %s it came',
  async (_, steps) => {
    await sql`update organization set unauthenticated = 'hold' where id = ${ledger.orgId}`.execute(ledger.database.db);
    for (const step of steps)
      await step(withBroken(reportXml({ id: 'held', records: [{ ip: '192.0.2.1', count: 7 }] })));
    const { db } = ledger.database;
    const reports = await db.selectFrom('report').select('messages').where('org_id', '=', ledger.orgId).execute();
    expect(reports).toEqual([{ messages: 7 }]);
  },
);

/** A failing mail with a document that cannot be read, and then a report. */
function withBroken(xml: Buffer): Buffer {
  const part = (name: string, content: string) =>
    `--b\r\nContent-Type: application/xml; name=${name}\r\n\r\n${content}\r\n`;
  return Buffer.from(
    [
      `Authentication-Results: ${SERVER}; dmarc=fail header.from=evil.example`,
      'From: <a@evil.example>',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      `${part('broken.xml', 'nothing at all')}${part('good.xml', xml.toString())}--b--`,
      '',
    ].join('\r\n'),
  );
}
