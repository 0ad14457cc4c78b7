/** The log of the queues; a pino logger is one. */
export interface QueueLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const silent: QueueLog = { info: () => {}, warn: () => {}, error: () => {} };

/** After FLUSHALL a running job cannot be marked as done: its effect is in Postgres, nothing is lost. */
const JOB_VANISHED = /Missing key for job|Missing lock for job/;
const CALM_MS = 5_000;
const MOST_REASONS = 200;

/** Logs errors that BullMQ reports as events. Connections recover by themselves; the log shows the fault. */
export type OnQueueError = (queue: string, error: Error) => void;

/** While a store is down, every queue fails many times a second: a reason is logged once, and later with its count. */
export function logQueueErrors(log: QueueLog): OnQueueError {
  const logged = new Map<string, { at: number; times: number }>();
  return (queue, { message: reason }) => {
    const key = `${queue} ${reason}`;
    const last = logged.get(key);
    if (last && performance.now() - last.at < CALM_MS) return void (last.times += 1);
    if (logged.size >= MOST_REASONS) logged.clear();
    logged.set(key, { at: performance.now(), times: 0 });
    const details = { event: 'queue.error', queue, reason, ...(last && last.times > 0 && { repeated: last.times }) };
    if (JOB_VANISHED.test(reason)) log.warn(details, 'a finished job was no longer in the queue');
    else log.error(details, 'the queue reported an error');
  };
}
