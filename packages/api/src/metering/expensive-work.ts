import type { Reads } from '@dmarc-ledger/schema';
import type { Limiter } from '@dmarc-ledger/limits';
import type { ExpensiveWork, Route } from '../define-route.ts';
import { tooMuchAtOnce, unavailable } from '../http/problem.ts';

/** The connection is ended after twenty seconds of silence: whoever waits is answered before. */
const ANSWER_MS = 18_000;

/**
 * How the handler of a route does its expensive work; throws 503 when the organization has too much of it under way,
 * and when it takes too long. Its place is free again when the work has ended, whoever still waits for it.
 */
export function expensiveWorkOf(
  limiter: Limiter,
  reads: Reads,
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
