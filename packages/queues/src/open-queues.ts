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
  const open = async (name: string): Promise<Queue> => {
    const queue = backend.openQueue(name);
    queue.on('error', (error) => onError(name, error));
    await backend.ready(queue);
    return queue;
  };
  try {
    // one after another: all at once would open a connection for each
    const queues = new Map<string, Queue>();
    for (const name of queueNames) queues.set(name, await open(name));
    return new Queues(backend, queues, log, onError);
  } catch (error) {
    await backend.close();
    throw error;
  }
}
