import { openQueues, type Queues, type QueuesOptions } from '@dmarc-ledger/queues';
import { redisServer, type RedisServer } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { patient, SHORT, work } from './work.ts';

const orgId = newId();
const opened: Queues[] = [];
let redis: RedisServer;

beforeAll(async () => {
  redis = await redisServer();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queues) => queues.close()));
  await redis.restart();
});
afterAll(() => redis.stop());

it('goes on after everything in Redis was deleted', async () => {
  const warnings: string[] = [];
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const done: number[] = [];
  const queues = await open({ info: () => {}, warn: (_, message) => warnings.push(message), error: () => {} });
  const entry = { job: 'repairRollups', payload: { orgId } };
  const repairRollups = async () => {
    begun.resolve();
    await release.promise;
    done.push(done.length + 1);
  };
  await work(queues, { repairRollups }, { timing: SHORT });
  await queues.addAll([entry]);
  await begun.promise;
  await redis.flushAll();
  release.resolve();
  await vi.waitFor(() => expect(warnings).toContain('a finished job was no longer in the queue'), patient);
  await queues.addAll([entry]);
  await vi.waitFor(() => expect(done).toEqual([1, 2]), patient);
});

it('says at once that Redis is away, and goes on by itself when it is back', async () => {
  let done = 0;
  const queues = await open();
  const entry = { job: 'repairRollups', payload: { orgId } };
  await work(queues, { repairRollups: async () => void (done += 1) }, { timing: SHORT });
  await queues.addAll([entry]);
  await vi.waitFor(() => expect(done).toBe(1), patient);
  await redis.stop();
  await expect(queues.addAll([entry])).rejects.toMatchObject({ code: 'queue_unavailable', retryable: true });
  expect(await queues.isUp()).toBe(false);
  await redis.restart();
  await vi.waitFor(() => queues.addAll([entry]), patient);
  await vi.waitFor(() => expect(done).toBe(2), patient);
});

it('opens while Redis is away, and works once it is there', async () => {
  await redis.stop();
  let done = 0;
  const queues = await open();
  const entry = { job: 'repairRollups', payload: { orgId } };
  await work(queues, { repairRollups: async () => void (done += 1) }, { timing: SHORT });
  await expect(queues.addAll([entry])).rejects.toMatchObject({ code: 'queue_unavailable' });
  await redis.restart();
  await vi.waitFor(() => queues.addAll([entry]), patient);
  await vi.waitFor(() => expect(done).toBe(1), patient);
});

async function open(log?: QueuesOptions['log']): Promise<Queues> {
  const queues = await openQueues({ databaseUrl: 'postgres://not.used', redisUrl: redis.url, log });
  opened.push(queues);
  return queues;
}
