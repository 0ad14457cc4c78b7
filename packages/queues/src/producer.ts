import type { BulkJobOptions, Queue } from 'bullmq';
import { failureReason } from '@dmarc-ledger/vocabulary';
import type { Backend } from './backend.ts';
import { QueueError } from './errors.ts';
import type { Job } from './job.ts';
import { readJob } from './read-job.ts';

/** One job to add, as an outbox row describes it. */
export interface JobEntry {
  job: string;
  payload: unknown;
}

/** Adds jobs, many in one command for each queue. Throws at once when the store is down; adding again is safe. */
export class Producer {
  readonly #backend: Backend;
  readonly #queueOf: (name: string) => Queue;

  constructor(backend: Backend, queueOf: (name: string) => Queue) {
    this.#backend = backend;
    this.#queueOf = queueOf;
  }

  async addAll(entries: JobEntry[]): Promise<void> {
    const read = entries.map(({ job, payload }) => readJob(job, payload));
    const reason = this.#backend.whyDown();
    if (reason && entries.length > 0) throw new QueueError('queue_unavailable', `No job was added: ${reason}.`);
    const byQueue = Map.groupBy(read, ({ job }) => job.queue);
    for (const [queue, some] of byQueue) {
      const bulk = some.map(({ job, payload }) => ({
        name: job.name,
        data: payload,
        opts: this.#optionsOf(job, payload),
      }));
      await this.#addBulk(queue, bulk);
    }
  }

  async #addBulk(queue: string, jobs: Parameters<Queue['addBulk']>[0]): Promise<void> {
    try {
      await this.#queueOf(queue).addBulk(jobs);
    } catch (cause) {
      throw new QueueError('queue_unavailable', `Jobs could not be added to "${queue}": ${failureReason(cause)}`, {
        cause,
      });
    }
  }

  /**
   * A key is held until its job has ended, however it ends; a job id would be held for as long as the job is kept, and
   * a failed one would swallow every later try. A job added while the job of its key runs is done once more after it.
   */
  #optionsOf(job: Job, payload: unknown): BulkJobOptions {
    const opts: BulkJobOptions = { ...this.#backend.keep, attempts: job.attempts, backoff: { type: 'custom' } };
    if (job.key) opts.deduplication = { id: `${job.name}-${job.key(payload)}`, keepLastIfActive: true };
    return opts;
  }
}
