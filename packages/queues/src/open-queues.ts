import type { Queue } from 'bullmq';
import { queueNames } from './jobs.ts';
import { logQueueErrors, silent, type QueueLog } from './log.ts';
import { openBackend } from './open-backend.ts';
import { Queues } from './queues.ts';

export interface QueuesOptions {
  /** Redis when given, else BullMQ's tables in the database. */
  redisUrl?: string;
  databaseUrl: string;
  log?: QueueLog;
}

/** Opens all queues. Rejects with a QueueError when the store is the database and it cannot be used. */
export async function openQueues({ log = silent, ...where }: QueuesOptions): Promise<Queues> {
  const onError = logQueueErrors(log);
  const backend = await openBackend({ ...where, onError });
  const open = async (name: string): Promise<[string, Queue]> => {
    const queue = backend.openQueue(name);
    queue.on('error', (error) => onError(name, error));
    await backend.ready(queue);
    return [name, queue];
  };
  try {
    return new Queues(backend, new Map(await Promise.all(queueNames.map(open))), log, onError);
  } catch (error) {
    await backend.close();
    throw error;
  }
}
