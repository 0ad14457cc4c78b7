import { UnrecoverableError, type Job as BullJob, type Worker } from 'bullmq';
import { failPoint, isFinal } from '@dmarc-ledger/vocabulary';
import type { Backend } from './backend.ts';
import { backoff } from './backoff.ts';
import { QueueError } from './errors.ts';
import type { Handlers } from './jobs.ts';
import type { QueueLog, OnQueueError } from './log.ts';
import { readJob } from './read-job.ts';

/** Times for jobs of seconds: a dead worker's job is taken over after a lock and two checks. */
export interface Timing {
  lockMs: number;
  stalledCheckMs: number;
  backoffMs?: number;
}

export const usualTiming: Timing = { lockMs: 15_000, stalledCheckMs: 5_000 };
const RETRY_FETCH_MS = 2_000;
const MAX_STALLED = 10; // jobs that kill their workers are counted in Postgres; here it would be a lost job

/** How one try of a job ended. */
export interface Finished {
  job: string;
  queue: string;
  outcome: 'done' | 'retry' | 'failed';
  seconds: number;
}

export interface WorkerNeeds {
  backend: Backend;
  handlers: Partial<Handlers>;
  log: QueueLog;
  onError: OnQueueError;
  concurrency: number;
  timing: Timing;
  /** Aborted when the worker is about to end. */
  ending: AbortSignal;
  /** The handlers that run now. */
  running: Set<Promise<void>>;
  onFinished: (finished: Finished) => void;
  onStalled: (queue: string) => void;
}

/** Serves one queue, from when the promise resolves. */
export async function openWorker(queue: string, needs: WorkerNeeds): Promise<Worker> {
  const { backend, log, onError, concurrency, timing } = needs;
  const worker = backend.openWorker(queue, (job) => tracked(needs.running, handle(needs, job)), {
    concurrency,
    lockDuration: timing.lockMs,
    stalledInterval: timing.stalledCheckMs,
    maxStalledCount: MAX_STALLED,
    runRetryDelay: RETRY_FETCH_MS,
    settings: { backoffStrategy: (attemptsMade) => backoff(attemptsMade, timing.backoffMs) },
  });
  worker.on('error', (error) => onError(queue, error));
  worker.on('completed', (job) => needs.onFinished(finished(job, 'done')));
  worker.on('failed', (job, error) => {
    if (!job) return;
    const end = finished(job, job.finishedOn ? 'failed' : 'retry');
    needs.onFinished(end);
    const details = { ...end, id: job.id, attempt: job.attemptsMade, reason: error.message };
    if (isInterruption(error)) log.info({ event: 'job.interrupted', ...details }, 'a job is left to another worker');
    else log.warn({ event: 'job.failed', ...details }, 'a job failed');
  });
  worker.on('stalled', (id) => {
    needs.onStalled(queue);
    log.warn({ event: 'job.stalled', queue, id }, 'a job was taken over from a worker that went silent');
  });
  await backend.ready(worker).catch(async (error: unknown) => {
    await worker.close();
    throw error;
  });
  void worker.run().catch((error: Error) => onError(queue, error));
  return worker;
}

/** Lists a job for as long as its handler runs. */
async function tracked(running: Set<Promise<void>>, work: Promise<void>): Promise<void> {
  running.add(work);
  await work.finally(() => running.delete(work));
}

/** The one place that turns whether an error may be retried into the queue's terms. */
async function handle({ handlers, ending }: WorkerNeeds, { name, data }: BullJob): Promise<void> {
  try {
    const { payload } = readJob(name, data);
    const handler = handlers[name as keyof Handlers] as (payload: unknown, ending: AbortSignal) => Promise<void>;
    await failPoint('F11');
    await handler(payload, ending);
    await failPoint('F14');
  } catch (error) {
    if (!isFinal(error)) throw error;
    throw Object.assign(new UnrecoverableError(`${error.code}: ${error.message}`), { cause: error });
  }
}

function isInterruption(error: Error): boolean {
  return error instanceof QueueError && error.code === 'job_interrupted';
}

function finished({ name, queueName, processedOn, finishedOn }: BullJob, outcome: Finished['outcome']): Finished {
  return {
    job: name,
    queue: queueName,
    outcome,
    seconds: ((finishedOn ?? Date.now()) - (processedOn ?? Date.now())) / 1000,
  };
}
