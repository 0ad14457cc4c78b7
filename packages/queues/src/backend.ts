import type { JobsOptions, Processor, Queue, Worker, WorkerOptions } from 'bullmq';
import { openPostgresBackend } from './postgres-backend.ts';
import { openRedisBackend } from './redis-backend.ts';
import type { QueueLog } from './log.ts';

export type WorkOptions = Omit<WorkerOptions, 'connection'>;

/** BullMQ on one of its two stores. Nothing outside knows which. */
export interface Backend {
  openQueue(name: string): Queue;
  openWorker(name: string, process: Processor, options: WorkOptions): Worker;
  /** How long finished jobs are kept, where keeping them is cheap. */
  keep: Pick<JobsOptions, 'removeOnComplete' | 'removeOnFail'>;
  /** True while the store answers. */
  isUp(): Promise<boolean>;
  /** A sentence why adding must fail now; undefined while the store is connected. */
  whyDown(): string | undefined;
  close(): Promise<void>;
}

export interface BackendOptions {
  redisUrl?: string;
  databaseUrl: string;
  log: QueueLog;
}

/** The one choice between Redis and Postgres. */
export function openBackend({ redisUrl, databaseUrl, log }: BackendOptions): Promise<Backend> {
  return redisUrl ? openRedisBackend(redisUrl, log) : openPostgresBackend(databaseUrl, log);
}
