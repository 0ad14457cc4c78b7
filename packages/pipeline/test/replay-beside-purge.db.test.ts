import { parseId } from '@dmarc-ledger/vocabulary';
import { reportXml } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { replayDeliveries } from '../src/index.ts';
import { openLedger } from './ledger.ts';

it('a replay ends, and names the delivery, when a purge deletes one that it had queued', async () => {
  await using ledger = await openLedger('Postgres');
  const { pool } = ledger.database;
  const [kept, gone] = await ledger.handIn(reportXml({ id: 'kept' }), reportXml({ id: 'gone' }));
  await ledger.settled();
  await ledger.stopIntake();
  const replaying = replayDeliveries(ledger, ledger.orgId, {});
  await vi.waitFor(async () => expect(await ledger.stateOf(gone!)).toBe('received'), { timeout: 30_000 });
  await pool.query('delete from raw_message where id = $1', [gone]);
  await pool.query(`update raw_message set state = 'stored' where id = $1`, [kept]);
  const { deliveries } = await replaying;
  expect(deliveries).toMatchObject({ read: 1, missing: [{ code: 'purged' }] });
  expect(parseId(deliveries.missing[0]!.id)).toBe(gone);
});
