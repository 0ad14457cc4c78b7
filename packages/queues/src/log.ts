/** Where the queues tell what an operator may want to know; a pino logger is one. */
export interface QueueLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const silent: QueueLog = { warn: () => {}, error: () => {} };

/** After FLUSHALL a job that was under way cannot be marked as done: its effect is in Postgres, nothing is lost. */
const JOB_VANISHED = /Missing key for job|Missing lock for job/;

/** Tells of an error that BullMQ reports on the side. Connections mend themselves; the log shows that they had to. */
export function tellError(log: QueueLog, queue: string, error: Error): void {
  const details = { event: 'queue.error', queue, reason: error.message };
  if (JOB_VANISHED.test(error.message)) log.warn(details, 'a job was gone when it was done');
  else log.error(details, 'the queue reported an error');
}
