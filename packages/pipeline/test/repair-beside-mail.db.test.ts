import { holdReports, rebuildRollups } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilBlocked } from './held-statement.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
  const mailbox = await openMailbox(ledger, { authservIds: ['mx.ours.example'] });
  const authenticationResults = 'mx.ours.example; dmarc=fail';
  await mailbox.bring(reportMail({ xml: reportXml({ id: 'forged' }), authenticationResults }));
  await ledger.settled();
});
afterAll(() => ledger[Symbol.asyncDispose]());

it.each([
  [
    'a mail that passes meanwhile leaves no mark',
    sql`with cleared as (delete from parse_warning where code = 'report_mail_unauthenticated')
      update report set unauthenticated = false`,
    sql`update report_revision set authenticated = true`,
  ],
  [
    'another repair of the same marks is not undone',
    sql`update report set unproven = true`,
    sql`update report set unproven = false`,
  ],
])('a repair ends without drift: %s', async (_, wrong, meanwhile) => {
  const { database, orgId } = ledger;
  await wrong.execute(database.db);
  expect(await ledger.drift()).toBeGreaterThan(0);
  const { id } = await database.db.selectFrom('report').select('id').executeTakeFirstOrThrow();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const other = transact(database, async (session) => {
    await holdReports(session, orgId, [id]);
    held.resolve();
    await gate;
    await meanwhile.execute(session.db);
  });
  await held.promise;
  const repairing = rebuildRollups(database, orgId);
  await untilBlocked(database);
  open();
  await Promise.all([other, repairing]);
  await ledger.settled();
  expect(await ledger.drift()).toBe(0);
});
