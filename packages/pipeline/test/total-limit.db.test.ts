import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findMessage } from '@dmarc-ledger/ledger';
import { replayDeliveries } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';
import { findOrgTotal } from './reads.ts';

const MOST = Number.MAX_SAFE_INTEGER;
let whole: Ledger;
let ledger: Ledger;
beforeAll(async () => {
  whole = await openLedger('Postgres');
});
afterAll(() => whole[Symbol.asyncDispose]());
beforeEach(async () => {
  ledger = await whole.another();
});

const passing = (id: string, count: number) =>
  reportXml({ id, records: [{ ip: '192.0.2.1', count, dkim: 'pass', spf: 'pass' }] });

async function monitored() {
  const monitored = ledger.database.db
    .selectFrom('domain')
    .where('org_id', '=', ledger.orgId)
    .where('monitored', '=', true);
  return await monitored.select(['name', 'source']).execute();
}

/** As if the organization had received so many messages, all of which pass, in reports that are gone. */
async function given(messages: number): Promise<void> {
  await ledger.handIn(passing('first', 1));
  await ledger.settled();
  await ledger.database.db
    .updateTable('org_total')
    .set({ messages, compliant: messages, spf_pass: messages, dkim_pass: messages })
    .where('org_id', '=', ledger.orgId)
    .execute();
}

it('refuses the report that would lift the total above what JSON can hold, and stores those that fit', async () => {
  await given(MOST - 1_000);
  const [large, small] = await ledger.handIn(passing('large', 1_001), passing('small', 900));
  await ledger.settled();
  expect(await ledger.stateOf(large!)).toBe('refused');
  expect((await findMessage(ledger.database.db, ledger.orgId, large!))?.code).toBe('total_limit');
  expect(await ledger.stateOf(small!)).toBe('stored');
  expect((await findOrgTotal(ledger))?.messages).toBe(MOST - 100);
});

it('monitors no domain for a report that is refused, whatever its size', async () => {
  await given(MOST - 10);
  const about = (domain: string, length: number) =>
    reportXml({ id: domain, domain, records: Array.from({ length }, () => ({ ip: '192.0.2.1', count: 11 })) });
  const deliveries = await ledger.handIn(about('small.example', 1), about('large.example', 5_001));
  await ledger.settled();
  for (const id of deliveries) expect(await ledger.stateOf(id)).toBe('refused');
  expect(await monitored()).toEqual([{ name: 'example.com', source: 'auto' }]);
});

it('takes what comes at once with what was refused, and counts a report that is held already once', async () => {
  await given(MOST - 10);
  const states = await Promise.all(
    (
      await ledger.handIn(passing('a', 8), passing('b', 8), Buffer.concat([passing('first', 1), Buffer.from('\n')]))
    ).map(async (id) => {
      await ledger.settled();
      return await ledger.stateOf(id);
    }),
  );
  expect(states.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(['duplicate', 'refused', 'stored']);
  expect((await findOrgTotal(ledger))?.messages).toBe(MOST - 2);
  expect(ledger.faults).toEqual([]);
});

it('counts failures against the same limit: a message without SPF and DKIM fails twice', async () => {
  await ledger.handIn(passing('first', 1));
  await ledger.settled();
  await ledger.database.db
    .updateTable('org_total')
    .set({ messages: 2 ** 52 - 500, spf_pass: 0, dkim_pass: 0 })
    .where('org_id', '=', ledger.orgId)
    .execute();
  const failing = (id: string) => reportXml({ id, records: [{ ip: '192.0.2.1', count: 400 }] });
  const states = [];
  for (const id of ['one', 'two']) {
    const [delivery] = await ledger.handIn(failing(id));
    await ledger.settled();
    states.push(await ledger.stateOf(delivery!));
  }
  expect(states).toEqual(['stored', 'refused']);
});

it('keeps the copy that counts where the totals cannot hold the better one', async () => {
  await ledger.handIn(passing('twice', 5));
  await ledger.settled();
  await given(MOST - 100);
  const better = reportXml({
    id: 'twice',
    records: [
      { ip: '192.0.2.1', count: 5, dkim: 'pass', spf: 'pass' },
      { ip: '192.0.2.2', count: 900, dkim: 'pass', spf: 'pass' },
    ],
  });
  await ledger.handIn(better);
  await ledger.settled();
  expect((await findOrgTotal(ledger))?.messages).toBe(MOST - 100);
  expect(ledger.faults).toEqual([]);
});

/** Refuses reports of one reporter as the database refuses a text that is too long for an index. */
async function refuseReporter(): Promise<void> {
  const {
    database: { db },
    orgId,
  } = ledger;
  await sql`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise 'too long' using errcode = '54000'; end $$`.execute(db);
  await sql`create or replace trigger refuse before insert or update on report for each row
    when (new.reporter_name = 'unholdable' and new.org_id = ${sql.lit(orgId)}) execute function refuse()`.execute(db);
}

const ofReporter = (xml: Buffer) => Buffer.from(String(xml).replace(/<org_name>[^<]*</, '<org_name>unholdable<'));

it('keeps the copy that counts, and the verdict of its mail, where the database cannot hold the better one', async () => {
  await refuseReporter();
  const mailbox = await openMailbox(ledger, { authservIds: ['mx.ours.example'] });
  const bring = async (xml: Buffer, verdict: string) => {
    await mailbox.bring(reportMail({ xml, authenticationResults: `mx.ours.example; dmarc=${verdict}` }));
    await ledger.settled();
  };
  await bring(passing('twice', 5), 'fail');
  await bring(ofReporter(passing('twice', 900)), 'pass');
  expect((await findOrgTotal(ledger))?.messages).toBe(5);
  const reports = await ledger.database.db
    .selectFrom('report')
    .select('unauthenticated')
    .where('org_id', '=', ledger.orgId)
    .execute();
  expect(reports).toEqual([{ unauthenticated: true }]);
  expect(ledger.faults).toEqual([]);
});

it('a replay ends, and keeps what counts, where the database cannot hold what is read now', async () => {
  const [delivery] = await ledger.handIn(ofReporter(passing('read', 5)));
  await ledger.settled();
  await ledger.database.db
    .updateTable('report')
    .set({ reporter_name: 'as read before', messages: 4 })
    .where('org_id', '=', ledger.orgId)
    .execute();
  await refuseReporter();
  await replayDeliveries(ledger, ledger.orgId, { id: delivery });
  const reports = await ledger.database.db
    .selectFrom('report')
    .select('messages')
    .where('org_id', '=', ledger.orgId)
    .execute();
  expect(reports).toEqual([{ messages: 4 }]);
  expect(ledger.faults).toEqual([]);
});

it('monitors no domain for a report that the database cannot hold', async () => {
  await refuseReporter();
  const [delivery] = await ledger.handIn(ofReporter(passing('first', 1)));
  await ledger.settled();
  expect((await findMessage(ledger.database.db, ledger.orgId, delivery!))?.code).toBe('value_unstorable');
  expect(await monitored()).toEqual([]);
});
