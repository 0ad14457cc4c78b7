import type { DnsFact } from './dns-fact.ts';

const aborted: DnsFact = { outcome: 'aborted', detail: 'the caller gave up' };

/** Returns the fact, or an abort if the caller left before. */
export async function orAborted(flight: Promise<DnsFact>, signal: AbortSignal | undefined): Promise<DnsFact> {
  if (!signal) return await flight;
  if (signal.aborted) return aborted;
  const { promise, resolve } = Promise.withResolvers<DnsFact>();
  const stop = () => resolve(aborted);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([flight, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
