import type { Demand, Limiter, UsageCount } from '../src/index.ts';

export const HOUR_SECONDS = 3600;
/** So many that no abuse limit is reached. */
export const PLENTY = 1e6;
/** Longer than a busy machine delays an available Redis. */
export const PATIENT = { usual: 20_000, extended: 20_000 };

export const silent = { warn: () => {}, info: () => {} };

export const KEY = '01890000-0000-7000-8000-0000000000a1';

export function request(orgId: string, quota: number | null, more: Partial<Demand> = {}): Demand {
  return { orgId, keyId: KEY, quota, metered: true, heavy: false, ...more };
}

/** Counts each outcome. */
export async function outcomes(decisions: Promise<{ outcome: string }>[]): Promise<{ [outcome: string]: number }> {
  const counts: { [outcome: string]: number } = {};
  for (const { outcome } of await Promise.all(decisions)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

type Sums = Pick<UsageCount, 'requests' | 'rejected' | 'errors'>;

/** Settles the batches of limiters, and returns their sum for each organization. */
export async function writtenDown(...limiters: Limiter[]): Promise<{ [orgId: string]: Sums }> {
  const batches = new Map<string, UsageCount[]>();
  for (const limiter of limiters) {
    for (const { id, counts } of await limiter.batches()) batches.set(id, counts);
  }
  for (const limiter of limiters) for (const id of batches.keys()) await limiter.settle(id);
  const sums: { [orgId: string]: Sums } = {};
  for (const { orgId, requests, rejected, errors } of [...batches.values()].flat()) {
    const sum = (sums[orgId] ??= { requests: 0, rejected: 0, errors: 0 });
    sum.requests += requests;
    sum.rejected += rejected;
    sum.errors += errors;
  }
  return sums;
}
