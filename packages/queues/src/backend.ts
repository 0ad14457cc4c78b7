import type { JobsOptions, Processor, Queue, Worker, WorkerOptions } from 'bullmq';

type WorkOptions = Omit<WorkerOptions, 'connection'>;

/** BullMQ on one of its two stores. Nothing outside knows which. */
export interface Backend {
  openQueue(name: string): Queue;
  /** A worker that is still to be run. */
  openWorker(name: string, process: Processor, options: WorkOptions): Worker;
  /** Resolves once what was opened can be used for as long as it lives, through every outage to come. */
  ready(opened: Queue | Worker): Promise<void>;
  /** How long finished jobs are kept, where keeping them is cheap. */
  keep: Pick<JobsOptions, 'removeOnComplete' | 'removeOnFail'>;
  /** True while the store answers. */
  isUp(): Promise<boolean>;
  /** A sentence why adding must fail now; undefined while the store is connected. */
  whyDown(): string | undefined;
  close(): Promise<void>;
}
