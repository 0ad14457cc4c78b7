import { jobs, queueNames, type Handlers, type Queues, type WorkSettings } from '@dmarc-ledger/queues';
import { expect, vi } from 'vitest';

const timing = { lockMs: 30_000, stalledCheckMs: 500, backoffMs: 20 };
/** Where a job is lost with its worker or its connection, and given to another. */
export const SHORT = { ...timing, lockMs: 1_000 };

export const patient = { timeout: 60_000, interval: 20 };
export const none = { waiting: 0, active: 0, delayed: 0, failed: 0 };

/** Every queue, empty. */
export const idle = Object.fromEntries(queueNames.map((name) => [name, none]));

/** Serves the queues with these handlers; no other job is expected. */
export async function work(queues: Queues, handlers: Partial<Handlers>, settings: WorkSettings = {}): Promise<void> {
  const never = async () => expect.unreachable('this job was not added');
  const unexpected = Object.fromEntries(Object.keys(jobs).map((name) => [name, never])) as unknown as Handlers;
  await queues.work({ ...unexpected, ...handlers }, { timing, ...settings });
}

/** Waits until no queue holds a job. */
export async function isIdle(queues: Queues): Promise<void> {
  await vi.waitFor(async () => expect(await queues.counts()).toEqual(idle), patient);
}
