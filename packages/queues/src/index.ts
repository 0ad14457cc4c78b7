export { QueueError } from './errors.ts';
export {
  jobs,
  queueNames,
  refuseUnknown,
  servableQueues,
  type Handlers,
  type JobName,
  type Jobs,
  type Payload,
} from './jobs.ts';
export { inspectRedis, type RedisSettings } from './inspect.ts';
export type { QueueLog } from './log.ts';
export { migrateQueues } from './postgres-backend.ts';
export type { JobEntry } from './producer.ts';
export { openQueues, type QueuesOptions } from './open-queues.ts';
export type { QueueCounts, Queues, WorkSettings } from './queues.ts';
export type { Finished, Timing } from './worker.ts';
