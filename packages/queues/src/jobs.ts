import { z } from 'zod';
import { QueueError } from './errors.ts';
import { defineJob } from './job.ts';

const reports = z.object({ orgId: z.uuid(), reportIds: z.array(z.uuid()).min(1).max(500) });

const addresses = z
  .array(z.union([z.ipv4(), z.ipv6()]))
  .min(1)
  .max(200);

// Payloads hold only ids: the data is in Postgres. A field added later is optional for one release, because jobs
// written by the version before are still in the queue.

/** Every kind of job, by its name. */
export const jobs = {
  alignReports: defineJob({ name: 'alignReports', queue: 'records', payload: reports, attempts: 8 }),
  classifyReports: defineJob({ name: 'classifyReports', queue: 'records', payload: reports, attempts: 8 }),
  judgeSignatures: defineJob({
    name: 'judgeSignatures',
    queue: 'records',
    payload: z.object({ orgId: z.uuid(), domainId: z.uuid() }),
    key: ({ domainId }) => domainId,
    attempts: 8,
  }),
  rereadReports: defineJob({ name: 'rereadReports', queue: 'rollups', payload: reports, attempts: 8 }),
  settleReport: defineJob({
    name: 'settleReport',
    queue: 'rollups',
    payload: z.object({ orgId: z.uuid(), reportId: z.uuid() }),
    key: ({ reportId }) => reportId,
    attempts: 8,
  }),
  repairRollups: defineJob({
    name: 'repairRollups',
    queue: 'rollups',
    payload: z.object({ orgId: z.uuid() }),
    key: ({ orgId }) => orgId,
    attempts: 8,
  }),
  enrichAddresses: defineJob({
    name: 'enrichAddresses',
    queue: 'lookups',
    payload: z.object({ addresses }),
    attempts: 3,
  }),
  judgeSources: defineJob({
    name: 'judgeSources',
    queue: 'sources',
    payload: z.object({ orgId: z.uuid(), addresses }),
    attempts: 8,
  }),
  checkDomain: defineJob({
    name: 'checkDomain',
    queue: 'domains',
    payload: z.object({ orgId: z.uuid(), domainId: z.uuid() }),
    key: ({ domainId }) => domainId,
    attempts: 3,
  }),
  computeHealth: defineJob({
    name: 'computeHealth',
    queue: 'rollups',
    payload: z.object({ orgId: z.uuid(), domainId: z.uuid() }),
    key: ({ domainId }) => domainId,
    attempts: 3,
  }),
  raiseEvents: defineJob({
    name: 'raiseEvents',
    queue: 'rollups',
    payload: z.object({ orgId: z.uuid(), domainId: z.uuid() }),
    key: ({ domainId }) => domainId,
    attempts: 3,
  }),
  computeSnapshots: defineJob({
    name: 'computeSnapshots',
    queue: 'rollups',
    payload: z.object({ orgId: z.uuid() }),
    key: ({ orgId }) => orgId,
    attempts: 3,
  }),
  deliverEvent: defineJob({
    name: 'deliverEvent',
    queue: 'deliveries',
    // the queue, the job and its id keep their first names: jobs of older versions have them
    payload: z.object({ orgId: z.uuid(), deliveryId: z.uuid() }),
    key: ({ deliveryId }) => deliveryId,
    attempts: 3, // faults before the target is tried; tries of the target are counted in Postgres
  }),
  sendDigest: defineJob({
    name: 'sendDigest',
    queue: 'deliveries',
    payload: z.object({ orgId: z.uuid(), userId: z.uuid() }),
    key: ({ userId }) => userId,
    attempts: 3, // faults before the mail is tried; its tries are counted in Postgres
  }),
  purgeOrganization: defineJob({
    name: 'purgeOrganization',
    queue: 'purges',
    payload: z.object({ orgId: z.uuid() }),
    key: ({ orgId }) => orgId,
    attempts: 3,
  }),
  sweepBlobs: defineJob({
    name: 'sweepBlobs',
    queue: 'purges',
    payload: z.object({}),
    key: () => 'blobs',
    attempts: 3,
  }),
};

export type Jobs = typeof jobs;
export type JobName = keyof Jobs;

/** The names of all queues, each once. */
export const queueNames = [...new Set(Object.values(jobs).map(({ queue }) => queue))];

/** Throws when a name is not that of a queue. */
export function refuseUnknown(queues: readonly string[]): void {
  const unknown = queues.filter((name) => !queueNames.includes(name));
  if (unknown.length === 0) return;
  const says = `There is no queue named ${unknown.join(', ')}; there are ${queueNames.join(', ')}.`;
  throw new QueueError('queue_unknown', says);
}

/** The arguments of a job's handler. */
export type Payload<Name extends JobName> = z.output<Jobs[Name]['payload']>;

/** The queues whose jobs all have a handler here. */
export function servableQueues(handlers: Partial<Handlers>): string[] {
  return queueNames.filter((queue) => unhandled(handlers, queue).length === 0);
}

/** Throws for a queue that has a job without a handler: its jobs would count as done although nothing was done. */
export function refuseUnhandled(handlers: Partial<Handlers>, queues: readonly string[]): void {
  for (const queue of queues) {
    const [job] = unhandled(handlers, queue);
    if (job === undefined) continue;
    const says = `The queue ${queue} cannot be served: this process has no handler for its job ${job}.`;
    throw new QueueError('handler_missing', says);
  }
}

function unhandled(handlers: Partial<Handlers>, queue: string): string[] {
  return Object.values(jobs).flatMap((job) => (job.queue === queue && !handlers[job.name] ? [job.name] : []));
}

/**
 * One handler for every job: one that is missing, or takes another payload, does not compile. The signal aborts when
 * the worker is about to end: a handler that waits for another service then throws a QueueError `job_interrupted`, and
 * is tried again.
 */
export type Handlers = { [Name in JobName]: (payload: Payload<Name>, ending: AbortSignal) => Promise<void> };
