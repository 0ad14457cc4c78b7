import { QueueError } from '@dmarc-ledger/queues';

/**
 * Ends a job between two of its steps once its worker is about to end; the job starts again later.
 *
 * @throws {QueueError} `job_interrupted` when the signal is aborted.
 */
export function throwIfEnding(ending: AbortSignal | undefined, message: string): void {
  if (ending?.aborted) throw new QueueError('job_interrupted', message);
}
