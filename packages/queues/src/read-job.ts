import { z } from 'zod';
import { QueueError } from './errors.ts';
import type { Job } from './job.ts';
import { jobs } from './jobs.ts';

/** A job as it is added or taken: known, and with a payload of the right shape. */
export interface ReadJob {
  job: Job;
  payload: unknown;
}

/** Looks up the job and checks its payload, the same way on both sides of the queue. */
export function readJob(name: string, payload: unknown): ReadJob {
  const job = Object.hasOwn(jobs, name) ? (jobs as Record<string, Job>)[name] : undefined;
  if (!job) throw new QueueError('job_unknown', `There is no job named "${name}".`);
  const read = job.payload.safeParse(payload);
  if (read.success) return { job, payload: read.data };
  throw new QueueError(
    'payload_invalid',
    `The payload of ${name} is wrong: ${z.prettifyError(read.error).replaceAll('\n', ' ')}`,
  );
}
