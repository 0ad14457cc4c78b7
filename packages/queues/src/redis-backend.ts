import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { Backend } from './backend.ts';
import type { OnQueueError } from './log.ts';

const FIRST_CONNECT_MS = 2_000;
const COMMAND_MS = 5_000;
const SLOWEST_RECONNECT_MS = 2_000;

/** A producer fails at once while Redis is down: the caller keeps the job in a table and tries again. */
const producer: RedisOptions = { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_MS };
/** A worker waits for as long as it takes. */
const consumer: RedisOptions = { maxRetriesPerRequest: null };

/** BullMQ on Redis: one connection adds for all queues, one serves all workers, and each worker waits on its own. */
export async function openRedisBackend(url: string, onError: OnQueueError): Promise<Backend> {
  const adding = connect(url, producer, onError);
  let working: Redis | undefined;
  await Promise.race([once(adding, 'ready'), once(adding, 'close'), delay(FIRST_CONNECT_MS)]).catch(() => {});
  return {
    openQueue: (name) => new Queue(name, { connection: adding }),
    openWorker: (name, process, options) => {
      working ??= connect(url, consumer, onError);
      return new Worker(name, process, { ...options, autorun: false, connection: working });
    },
    ready: async () => undefined, // its connections recover by themselves, the first one too
    keep: { removeOnComplete: { age: 3_600, count: 1_000 }, removeOnFail: { age: 7 * 86_400, count: 5_000 } },
    isUp: () =>
      adding.ping().then(
        () => true,
        () => false,
      ),
    whyDown: () => (adding.status === 'ready' ? undefined : `Redis is not connected (${adding.status})`),
    close: async () => {
      adding.disconnect();
      working?.disconnect();
    },
  };
}

function connect(url: string, options: RedisOptions, onError: OnQueueError): Redis {
  const retryStrategy = (times: number) => Math.min(times * 100, SLOWEST_RECONNECT_MS);
  const redis = new Redis(url, { ...options, retryStrategy });
  redis.on('error', (error) => onError('redis', error));
  return redis;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
