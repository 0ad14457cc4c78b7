import { notificationEnv, lookupEnv, retentionEnv, wholeNumber, type Env } from '@dmarc-ledger/runtime';

/** The environment variables of the worker. */
export const workerEnv = {
  ...lookupEnv,
  ...notificationEnv,
  ...retentionEnv,
  /** Jobs at a time on each queue. */
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(2),
};
export type WorkerEnv = Env<typeof workerEnv>;
