import type { JobsOptions, Processor, Queue, Worker, WorkerOptions } from 'bullmq';

type WorkOptions = Omit<WorkerOptions, 'connection'>;

/** BullMQ on one of its two stores, which callers cannot distinguish. */
export interface Backend {
  openQueue(name: string): Queue;
  /** A worker that is still to be started. */
  openWorker(name: string, process: Processor, options: WorkOptions): Worker;
  /** Resolves once the store can be used for as long as it lives, through every later outage. */
  ready(opened: Queue | Worker): Promise<void>;
  /** How long finished jobs are kept, where keeping them is cheap. */
  keep: Pick<JobsOptions, 'removeOnComplete' | 'removeOnFail'>;
  /** True while the store answers. */
  isUp(): Promise<boolean>;
  /** Why adding must fail now, as a sentence; undefined while the store is connected. */
  whyDown(): string | undefined;
  close(): Promise<void>;
}
