import { randomUUID } from 'node:crypto';
import { createOrganization } from '@dmarc-ledger/ledger';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BEARING, type Bearing, watchPressure } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

const mails = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => reportMail({ xml: reportXml({ id: `r-${from + i}` }) }));

/** Why a mailbox may not bring more, by limits that no load of the machine reaches. */
async function reasonToWait(orgId: string, mailboxId: string, limits: Partial<Bearing>) {
  const bearing = { ...BEARING, outbox: 1e6, waiting: 1e6, commitMs: 1e6, freeDisk: 0, ...limits };
  return await watchPressure(ledger, bearing).reasonToWait({ orgId, mailboxId });
}

async function mayBring(orgId: string, mailboxId: string, aDay: { mails: number; bytes: number }): Promise<boolean> {
  return (await reasonToWait(orgId, mailboxId, { aDay })) === null;
}

/** Two mailboxes of one organization, and one of another. */
async function given() {
  const organization = async () => ({ ...ledger, ...(await newOrganization()) });
  const [ours, others] = [await organization(), await organization()];
  return { ours, others, boxes: [await openMailbox(ours), await openMailbox(ours)], other: await openMailbox(others) };
}

async function newOrganization(): Promise<{ orgId: string }> {
  const { id } = await createOrganization(ledger.database.db, { name: randomUUID() });
  return { orgId: id };
}

it('the mailboxes of an organization bring so many mails in a day, whatever their servers say', async () => {
  const { ours, others, boxes, other } = await given();
  const [first, second] = boxes;
  if (!first || !second) throw new Error('Two mailboxes are expected.');
  const aDay = { mails: 10, bytes: 1e9 };
  await first.bring(...mails(0, 5)); // without a date of their server
  await second.bring(...mails(5, 4));
  expect(await mayBring(ours.orgId, first.id, aDay)).toBe(true);
  await second.bring(...mails(5, 1)); // the same again, as under a new UIDVALIDITY
  expect(await mayBring(ours.orgId, first.id, aDay)).toBe(false);
  expect(await mayBring(ours.orgId, second.id, aDay)).toBe(false);
  expect(await mayBring(others.orgId, other.id, aDay)).toBe(true);
});

it('the next day they bring mail again', async () => {
  const { ours, boxes } = await given();
  const id = boxes[0]?.id ?? '';
  const aDay = { mails: 1_000, bytes: 1_000 };
  await boxes[0]?.bring(...mails(0, 3));
  expect(await mayBring(ours.orgId, id, aDay)).toBe(false);
  await ledger.database.pool.query(`update mailbox_day set day = day - 1 where org_id = '${ours.orgId}'`);
  expect(await mayBring(ours.orgId, id, aDay)).toBe(true);
});

it('mail that has to wait says whether the ledger, the day or the hour is full', async () => {
  const { ours, boxes } = await given();
  const id = boxes[0]?.id ?? '';
  await boxes[0]?.bring(...mails(0, 3));
  expect(await reasonToWait(ours.orgId, id, {})).toBe(null);
  expect(await reasonToWait(ours.orgId, id, { freeDisk: 1.1 })).toBe('ledger_full');
  expect(await reasonToWait(ours.orgId, id, { aDay: { mails: 3, bytes: 1e9 } })).toBe('day_full');
  await ledger.database.pool.query(`update mailbox_progress set is_backfill = false where mailbox_id = '${id}'`);
  await ledger.database.pool.query(
    `update mailbox_item set arrived_at = now() + interval '1 minute' where mailbox_id = '${id}'`,
  );
  expect(await reasonToWait(ours.orgId, id, { mailsAnHour: 3 })).toBe('hour_full');
});
