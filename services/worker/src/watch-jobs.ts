import type { Finished } from '@dmarc-ledger/queues';
import type { Tracing } from '@dmarc-ledger/runtime';

/** Receives jobs as they end. */
export interface JobWatch {
  onFinished: (finished: Finished) => void;
  onStalled?: (queue: string) => void;
}

/** One watch that calls several, those that are defined. */
export function watchJobs(watches: readonly (JobWatch | undefined)[]): Required<JobWatch> {
  return {
    onFinished: (finished) => watches.forEach((watch) => watch?.onFinished(finished)),
    onStalled: (queue) => watches.forEach((watch) => watch?.onStalled?.(queue)),
  };
}

/** Records each try of a job as a span. */
export function traceJobs(tracing: Tracing): JobWatch {
  return {
    onFinished: ({ job, queue, outcome, seconds }) =>
      tracing.record({
        name: job,
        beganAt: Date.now() - seconds * 1_000,
        isFailed: outcome !== 'done',
        attributes: {
          'dmarc_ledger.job.name': job,
          'dmarc_ledger.job.queue': queue,
          'dmarc_ledger.job.outcome': outcome,
        },
      }),
  };
}
