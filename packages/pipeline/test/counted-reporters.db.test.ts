import { findFirstReporter } from '@dmarc-ledger/ledger';
import { DAY_ONE, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replayDeliveries } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox, type TestMailbox } from './mailboxes.ts';

const GOOGLE = 'noreply-dmarc-support@google.com';
const IMPOSTOR = 'dmarc@evil.example';
let ledger: Ledger;
let mailbox: TestMailbox;

beforeAll(async () => {
  ledger = await openLedger('Postgres');
  mailbox = await openMailbox(ledger, { authservIds: ['mx.ours.example'] });
  const mailOf = (from: string, begin: number) =>
    reportMail({
      xml: reportXml({
        reporter: 'google.com',
        email: from,
        id: from,
        begin,
        records: [{ ip: '192.0.2.1', count: 7 }],
      }),
      from,
      authenticationResults: `mx.ours.example; dmarc=pass header.from=${from.slice(from.indexOf('@') + 1)}`,
    });
  // a report that states the name by which the impostor is counted, stored by a version that counted names as sent
  await sql`insert into reporter (org_id, id, name)
    values (${ledger.orgId}, gen_random_uuid(), 'google.com (evil.example)')`.execute(ledger.database.db);
  await mailbox.bring(mailOf(IMPOSTOR, DAY_ONE));
  await ledger.settled();
  await mailbox.bring(mailOf(GOOGLE, DAY_ONE));
  await ledger.settled();
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** The reporters that reports count for, by the address of the report. */
async function reporters() {
  const { rows } = await sql<{ email: string; name: string; stated: string; reports: number }>`
    select r.metadata ->> 'email' as email, n.name, r.reporter_name as stated, c.reports::integer as reports
    from report r join reporter n on n.org_id = r.org_id and n.id = r.reporter_id
      left join report_count_reporter c on c.org_id = r.org_id and c.reporter_id = n.id and c.reports > 0
    where r.org_id = ${ledger.orgId} order by 1`.execute(ledger.database.db);
  return rows;
}

const apart = [
  { email: IMPOSTOR, name: 'google.com (evil.example)', stated: 'google.com', reports: 1 },
  { email: GOOGLE, name: 'google.com', stated: 'google.com', reports: 1 },
];

it('a report in the name of Google, whose mail passes as another, does not count for Google', async () => {
  expect(await reporters()).toEqual(apart);
  expect(await ledger.drift()).toBe(0);
});

it('what others than Google send in its name is known to be in its name', async () => {
  const stated = await ledger.database.db
    .selectFrom('reporter')
    .select(['name', 'stated_name'])
    .orderBy('name')
    .execute();
  expect(stated).toEqual([
    { name: 'google.com', stated_name: null },
    { name: 'google.com (evil.example)', stated_name: 'google.com' },
  ]);
});

it('the event of the first report names the one that sent it', async () => {
  const { db } = ledger.database;
  const domain = await db
    .selectFrom('domain')
    .select('id')
    .where('org_id', '=', ledger.orgId)
    .executeTakeFirstOrThrow();
  expect(await findFirstReporter(db, ledger.orgId, domain.id)).toBe('google.com (evil.example)');
});

it('a replay tells apart what an older version has stored under one name', async () => {
  const { db } = ledger.database;
  await sql`with n as (select id from reporter where org_id = ${ledger.orgId} and name = 'google.com'), counted as (
      update report_count_reporter set reports = case when reporter_id in (select id from n) then 2 else 0 end
      where org_id = ${ledger.orgId})
    update report set reporter_id = (select id from n) where org_id = ${ledger.orgId}`.execute(db);
  expect(new Set((await reporters()).map(({ name }) => name))).toEqual(new Set(['google.com']));
  await replayDeliveries(ledger, ledger.orgId, {});
  await ledger.settled();
  expect(await reporters()).toEqual(apart);
  expect(await ledger.drift()).toBe(0);
});
