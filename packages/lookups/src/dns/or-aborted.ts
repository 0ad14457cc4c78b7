import type { DnsFact, DnsFailure } from './dns-fact.ts';

export const ABORTED: DnsFailure = { outcome: 'aborted', detail: 'the caller gave up' };

/** Returns the fact, or an abort if the caller left before. */
export async function orAborted(flight: Promise<DnsFact>, signal: AbortSignal | undefined): Promise<DnsFact> {
  if (!signal) return await flight;
  if (signal.aborted) return ABORTED;
  const { promise, resolve } = Promise.withResolvers<DnsFact>();
  const stop = () => resolve(ABORTED);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([flight, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
