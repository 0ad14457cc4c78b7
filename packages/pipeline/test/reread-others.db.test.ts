import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replayDeliveries } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import type { TestMailbox } from './mailboxes.ts';
import { failureMail, mailOfReport, openMailLedger, placementJson, SERVER, tlsJson } from './other-reports.ts';

let ledger: Ledger;
let mailbox: TestMailbox;
beforeEach(async () => {
  ({ ledger, mailbox } = await openMailLedger(await openLedger('Postgres')));
});
afterEach(() => ledger[Symbol.asyncDispose]());

const mailed = (hour: number, content: Buffer) => mailOfReport({ hour, result: 'pass', server: SERVER }, content);

/** All rows of reports of other kinds, and the number of events. */
async function stored(): Promise<unknown[]> {
  const { rows } = await sql`
    select to_jsonb(t) as row from tlsrpt_report t union all select to_jsonb(t) from tlsrpt_failure t
    union all select to_jsonb(t) from aprf_report t union all select to_jsonb(t) from aprf_row t
    union all select to_jsonb(t) from failure_report t
    union all select to_jsonb(count(*)) from event order by row`.execute(ledger.database.db);
  return rows;
}

/** The same without the ids of the reports, which are new where a report was removed. */
async function withoutIds(): Promise<unknown[]> {
  const rows = await stored();
  return rows.map((row) =>
    JSON.parse(JSON.stringify(row, (name, value) => (name === 'id' || name === 'report_id' ? undefined : value))),
  );
}

it('a replay removes what an older version took for another report, and raises nothing again', async () => {
  const { db } = ledger.database;
  const others = [tlsJson({}), placementJson({}), failureMail({})];
  await mailbox.bring(...others.map((content) => mailed(1, content)));
  await ledger.settled();
  const right = await withoutIds();
  // as if these had been read as other reports: the ids of the rows stay, and the names in their deliveries
  await sql`update tlsrpt_report set identity = sha256('another'), report_id = 'another'`.execute(db);
  await sql`update aprf_report set identity = sha256('another'), source = 'another'`.execute(db);
  await sql`update failure_report set payload_sha256 = sha256('another')`.execute(db);
  await replayDeliveries(ledger, ledger.orgId, {});
  expect(await withoutIds()).toEqual(right);
  expect(ledger.faults).toEqual([]);
});

it('a replay reads other deliveries again that brought a copy of the report that it removes', async () => {
  const { db } = ledger.database;
  await mailbox.bring(mailed(1, tlsJson({})));
  await ledger.settled();
  const first = await withoutIds();
  await mailbox.bring(mailed(2, tlsJson({ 'report-id': 'tls-2' })));
  await ledger.settled();
  // as if the second had been read as a later copy of the first
  await sql`
    delete from tlsrpt_failure where report_id in (select id from tlsrpt_report where report_id = 'tls-1')`.execute(db);
  const { rows } = await sql<{ id: string; message_id: string; identity: Buffer }>`
    delete from tlsrpt_report where report_id = 'tls-1' returning id, message_id, identity`.execute(db);
  const [gone] = rows;
  await sql`update tlsrpt_report set identity = ${gone?.identity}`.execute(db);
  await sql`update raw_message set parts = jsonb_set(parts, '{0,reports,0,id}', to_jsonb(
    (select id from tlsrpt_report)::text)) where id = ${gone?.message_id}::uuid`.execute(db);
  const [second] = await db.selectFrom('tlsrpt_report').select('message_id').execute();
  await replayDeliveries(ledger, ledger.orgId, { id: second?.message_id });
  await ledger.settled();
  const now = await withoutIds();
  for (const row of first) expect(now).toContainEqual(row);
  const ids = await db.selectFrom('tlsrpt_report').select('report_id').orderBy('report_id').execute();
  expect(ids).toEqual([{ report_id: 'tls-1' }, { report_id: 'tls-2' }]);
});

it('a replay corrects what an older version has read of reports of other kinds, and raises nothing again', async () => {
  const { db } = ledger.database;
  const tls = tlsJson({});
  await mailbox.bring(mailed(1, tls), mailed(1, placementJson({})), mailed(1, failureMail({})));
  await ledger.settled();
  await mailbox.bring(mailed(2, tls)); // the same content in another mail: it was received last
  await ledger.settled();
  const right = await stored();
  await sql`update tlsrpt_report set failures = 0, contact = null, policies = '[]', day = '2020-01-01'`.execute(db);
  await sql`delete from tlsrpt_failure where position = 0`.execute(db);
  await sql`update aprf_report set extra_info = 'as it was read then', contact = 'old@reporter.example'`.execute(db);
  await sql`update aprf_row set segment = '{}'`.execute(db);
  await sql`update failure_report set incidents = 77, user_agent = 'as it was read then'`.execute(db);
  expect(await stored()).not.toEqual(right);
  await replayDeliveries(ledger, ledger.orgId, {});
  expect(await stored()).toEqual(right);
  expect(ledger.faults).toEqual([]);
});
