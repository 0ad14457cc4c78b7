import type { Reads } from '@dmarc-ledger/schema';
import type { Limiter } from '@dmarc-ledger/limits';
import type { ExpensiveWork, Route } from '../define-route.ts';
import { tooMuchAtOnce, unavailable } from '../http/problem.ts';

/** A connection is closed after twenty seconds of silence, so the client gets an answer before that. */
const ANSWER_MS = 18_000;

/**
 * Returns the function that runs a handler's expensive work; it throws 503 when the organization has too much of it in
 * progress, and when the work takes too long. The slot is free again when the work has ended, even if the client has
 * its answer already.
 */
export function expensiveWorkOf(
  { limiter, reads }: { limiter: Limiter; reads: Reads },
  orgId: string,
  { heavy }: Pick<Route, 'heavy'>,
  onWork: () => void,
): ExpensiveWork {
  return async (work) => {
    onWork();
    const leave = await limiter.enter(orgId, { capped: heavy === true });
    if (!leave) throw tooMuchAtOnce();
    return await inTime(work(reads.of(orgId)).finally(leave));
  };
}

async function inTime<T>(working: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), ANSWER_MS);
  });
  return await Promise.race([working, late]).finally(() => clearTimeout(timer));
}
