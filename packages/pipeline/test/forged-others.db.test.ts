import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replayDeliveries } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import type { TestMailbox } from './mailboxes.ts';
import { mailOfReport, openMailLedger, placementJson, SERVER, tlsJson } from './other-reports.ts';

const OURS = 'tls@blueharbor.example';
const THEIRS = 'tls@evil.example';
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

const yesterday = new Date(Date.now() - DAY_SECONDS * 1_000).toISOString().slice(0, 10);
const start = Date.parse(yesterday) / 1_000;
const policy = { 'policy-type': 'sts', 'policy-string': [], 'policy-domain': 'shop.example', 'mx-host': [] };
const tls = (count: number, contact: string | null) =>
  tlsJson({
    'date-range': { 'start-datetime': `${yesterday}T00:00:00Z`, 'end-datetime': `${yesterday}T23:59:59Z` },
    'contact-info': contact,
    policies: [{ policy, summary: { 'total-successful-session-count': 1, 'total-failure-session-count': count } }],
  });
const placement = (count: number, contact: string | null) =>
  placementJson(
    { report_start: start, report_end: start + DAY_SECONDS - 1, contact_info: contact },
    { segment: 'retail', classification: { spam: count, inbox: 1_000 } },
  );
const FORMER = {
  tlsrpt_report: ['blue harbor mail', 'tls-1', start, start + DAY_SECONDS - 1],
  aprf_report: ['Blue Harbor Mail', '*.shop.example', '*', yesterday, '7', 'N/F'],
};

/** A mail that passed DMARC as a domain, at an hour. */
const mailed = (hour: number, from: string, content: Buffer) =>
  mailOfReport({ hour, result: 'pass', server: SERVER, from }, content);

async function bring(...mails: Buffer[]): Promise<void> {
  for (const mail of mails) {
    await mailbox.bring(mail);
    await ledger.settled();
  }
}

async function events(): Promise<number> {
  const { db } = ledger.database;
  return (await db.selectFrom('event').select('id').where('org_id', '=', ledger.orgId).execute()).length;
}

describe.each([
  ['TLS', tls, 'tlsrpt_report'],
  ['placement', placement, 'aprf_report'],
] as const)('a %s report', (_, make, table) => {
  /** The figure, the contact and the proof of each held report. */
  async function held(): Promise<[number, string | null, boolean | null][]> {
    const { rows } = await ledger.database.pool.query<{
      figure: string;
      contact: string | null;
      authenticated: boolean | null;
    }>(
      table === 'tlsrpt_report'
        ? `select failures as figure, contact, authenticated from tlsrpt_report where org_id = $1 order by 1`
        : `select (b.classification -> 0 ->> 'value') as figure, r.contact, r.authenticated
             from aprf_report r join aprf_row b on b.org_id = r.org_id and b.report_id = r.id
           where r.org_id = $1 order by (b.classification -> 0 ->> 'value')::integer`,
      [ledger.orgId],
    );
    return rows.map(({ figure, contact, authenticated }) => [Number(figure), contact, authenticated]);
  }
  const ids = async () =>
    (await ledger.database.db.selectFrom(table).select('id').where('org_id', '=', ledger.orgId).execute()).map(
      ({ id }) => id,
    );
  const whole = make(900, OURS);

  it.each([
    ['later', 2],
    ['earlier', 0],
  ])('is not replaced by what another domain mails in its name, received %s', async (__, hour) => {
    await bring(mailed(1, 'blueharbor.example', whole), mailed(hour, 'evil.example', make(800, OURS)));
    expect(await held()).toEqual([[900, OURS, true]]);
    expect(await events()).toBe(1);
    expect(ledger.faults).toEqual([]);
  });

  it.each([
    ['later', 2],
    ['earlier', 0],
  ])('replaces what another domain has mailed in its name, received %s, which raised no event', async (__, hour) => {
    await bring(mailed(1, 'evil.example', make(800, OURS)));
    expect([await held(), await events()]).toEqual([[[800, OURS, false]], 0]);
    await bring(mailed(hour, 'mail.blueharbor.example', whole));
    expect([await held(), await events()]).toEqual([[[900, OURS, true]], 1]);
  });

  it('is proved by its reporter when another domain has mailed the same text before', async () => {
    await bring(mailed(1, 'evil.example', whole));
    expect([await held(), await events()]).toEqual([[[900, OURS, false]], 0]);
    await bring(mailed(2, 'blueharbor.example', whole));
    expect([await held(), await events()]).toEqual([[[900, OURS, true]], 1]);
  });

  it('is another one than that with the contact address of another', async () => {
    await bring(mailed(1, 'blueharbor.example', whole), mailed(2, 'evil.example', make(800, THEIRS)));
    await bring(mailed(3, 'evil.example', make(700, null)));
    expect(await held()).toEqual([
      [700, null, true],
      [800, THEIRS, true],
      [900, OURS, true],
    ]);
  });

  it('is proved by any mail that passes where it has no contact address', async () => {
    await bring(mailed(1, 'blueharbor.example', make(900, null)), mailed(2, 'other.example', make(800, null)));
    expect(await held()).toEqual([[800, null, true]]);
  });

  it('that an older version has stored is found by its own copies, and by its replay, alone', async () => {
    const { pool } = ledger.database;
    await bring(mailed(1, 'blueharbor.example', whole));
    const before = await ids();
    const makeOld = async () => {
      const identity = hash('sha256', JSON.stringify(FORMER[table]), 'buffer');
      const { rowCount } = await pool.query(`update ${table} set identity = $2 where org_id = $1 and id = $3`, [
        ledger.orgId,
        identity,
        before[0],
      ]);
      expect(rowCount).toBe(1);
    };
    await makeOld();
    await replayDeliveries(ledger, ledger.orgId, {});
    await ledger.settled();
    expect([await held(), await ids(), await events()]).toEqual([[[900, OURS, true]], before, 1]);
    await makeOld();
    await bring(mailed(2, 'evil.example', make(800, THEIRS)), mailed(3, 'evil.example', make(700, null)));
    expect(await held()).toHaveLength(3);
    await bring(mailed(4, 'blueharbor.example', make(1_000, OURS)));
    expect(await held()).toEqual([
      [700, null, true],
      [800, THEIRS, true],
      [1_000, OURS, true],
    ]);
    expect(await ids()).toContain(before[0]);
    expect(ledger.faults).toEqual([]);
  });
});
