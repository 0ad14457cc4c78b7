/** Where the queues tell what an operator may want to know; a pino logger is one. */
export interface QueueLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const silent: QueueLog = { warn: () => {}, error: () => {} };

/** After FLUSHALL a job that was under way cannot be marked as done: its effect is in Postgres, nothing is lost. */
const JOB_VANISHED = /Missing key for job|Missing lock for job/;
const CALM_MS = 5_000;
const MOST_REASONS = 200;

/** Tells of an error that BullMQ reports on the side. Connections mend themselves; the log shows that they had to. */
export type OnQueueError = (queue: string, error: Error) => void;

/** While a store is away, every queue fails many times a second: the same reason is told once, and then how often. */
export function logQueueErrors(log: QueueLog): OnQueueError {
  const told = new Map<string, { at: number; times: number }>();
  return (queue, { message: reason }) => {
    const key = `${queue} ${reason}`;
    const last = told.get(key);
    if (last && performance.now() - last.at < CALM_MS) return void (last.times += 1);
    if (told.size >= MOST_REASONS) told.clear();
    told.set(key, { at: performance.now(), times: 0 });
    const details = { event: 'queue.error', queue, reason, ...(last && last.times > 0 && { repeated: last.times }) };
    if (JOB_VANISHED.test(reason)) log.warn(details, 'a job was gone when it was done');
    else log.error(details, 'the queue reported an error');
  };
}
