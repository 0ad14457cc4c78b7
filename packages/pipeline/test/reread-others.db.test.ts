import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { replayDeliveries } from '../src/index.ts';
import type { Ledger } from './ledger.ts';
import type { TestMailbox } from './mailboxes.ts';
import { failureMail, mailOfReport, openMailLedger, placementJson, SERVER, tlsJson } from './other-reports.ts';

let ledger: Ledger;
let mailbox: TestMailbox;
beforeEach(async () => {
  ({ ledger, mailbox } = await openMailLedger());
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
