import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { jobs, openQueues } from '../src/index.ts';

/** What keeps this process alive and may be of a client. */
const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind.startsWith('TCP'));

it('ends at once while Redis is away, and leaves nothing behind that keeps the process', async () => {
  const before = open().length;
  const queues = await openQueues({ redisUrl: 'redis://127.0.0.1:1', databaseUrl: '' });
  const idle = async () => undefined;
  await queues.work(Object.fromEntries(Object.keys(jobs).map((name) => [name, idle])));
  await expect(queues.counts()).rejects.toThrow(/Redis is not connected/);
  await sleep(3_000); // until its workers wait for the next attempt
  const since = performance.now();
  await queues.close();
  expect(performance.now() - since).toBeLessThan(5_000);
  await expect.poll(() => open().length, { timeout: 5_000 }).toBeLessThanOrEqual(before);
});
