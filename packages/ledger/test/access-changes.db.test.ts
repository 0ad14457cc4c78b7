import { setTimeout as sleep } from 'node:timers/promises';
import { announceAccessChange, onAccessChange } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { cloneDatabase, faultProxy } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';

const patient = { timeout: 30_000, interval: 20 };

it('one connection listens for changes of access again after the first was lost while it began to listen', async () => {
  await using database = await cloneDatabase();
  await using proxy = await faultProxy(Number(new URL(database.url).port));
  proxy.toxic.dropRequest = /listen access_changed/;
  const url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(proxy.port) }).href;
  const shaky = openDatabase(url);
  let heard = 0;
  const listener = onAccessChange(shaky.pool, () => (heard += 1));
  await vi.waitFor(() => expect(proxy.ended()).toBe(1), patient);
  await vi.waitFor(async () => {
    const before = heard;
    await announceAccessChange(database.db);
    await sleep(100);
    expect(heard).toBeGreaterThan(before);
    expect(shaky.pool.totalCount).toBe(1); // the loss counts as a possible change, while nothing listens
  }, patient);
  await sleep(500); // a second one would come at the same time
  expect(shaky.pool.totalCount).toBe(1);
  await listener.stop();
  expect(shaky.pool.totalCount).toBe(0);
  await shaky.close();
});
