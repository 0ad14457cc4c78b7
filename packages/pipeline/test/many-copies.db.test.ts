import type { BlobStore } from '@dmarc-ledger/blobs';
import { openDimensions } from '@dmarc-ledger/ledger';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settleReport } from '../src/intake/settle-report.ts';
import { openLedger, receive, settled, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger('Postgres');
});
afterEach(() => ledger[Symbol.asyncDispose]());

const FORGED = 40;
const copyOf = (count: number) => reportXml({ id: 'guessed', records: [{ ip: '192.0.2.1', count }] });

/** The same store, with the number of reads of bytes. */
function counted(blobs: BlobStore): { blobs: BlobStore; reads: () => number } {
  let reads = 0;
  const get: BlobStore['get'] = (sha256) => {
    reads += 1;
    return blobs.get(sha256);
  };
  return { blobs: Object.assign(Object.create(blobs) as BlobStore, { get }), reads: () => reads };
}

it('compares a bounded number of copies, however many are mailed of one report', async () => {
  await receive(ledger, ...Array.from({ length: FORGED }, (_, i) => copyOf(i + 1)));
  await settled(ledger);
  const { id } = await ledger.database.db.selectFrom('report').select('id').executeTakeFirstOrThrow();
  await ledger.database.db.updateTable('report_revision').set({ settled: false, announced_at: new Date() }).execute();
  const { blobs, reads } = counted(ledger.blobs);
  const needs = { database: ledger.database, blobs, dimensions: openDimensions(ledger.database) };
  await settleReport(needs, { orgId: ledger.orgId, reportId: id });
  expect(reads()).toBeGreaterThan(1);
  expect(reads()).toBeLessThanOrEqual(17); // sixteen, and once more the one that becomes the counted copy
  const waiting = await ledger.database.db
    .selectFrom('report_revision')
    .select('settled')
    .where('settled', '=', false)
    .execute();
  expect(waiting).toEqual([]);
});

it('counts the copy that its reporter signed, behind any number of others', async () => {
  const mailbox = await openMailbox(ledger, { authservIds: ['mx.ours.example'] });
  await receive(ledger, ...Array.from({ length: FORGED }, (_, i) => copyOf(i + 1)));
  const xml = copyOf(7_000);
  await mailbox.bring(reportMail({ xml, authenticationResults: 'mx.ours.example; dmarc=pass' }));
  await settled(ledger);
  const { messages } = await ledger.database.db.selectFrom('org_total').select('messages').executeTakeFirstOrThrow();
  expect(messages).toBe(7_000);
  expect(await ledger.drift()).toBe(0);
});
