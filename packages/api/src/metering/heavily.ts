import type { Reads } from '@dmarc-ledger/db';
import type { Limiter } from '@dmarc-ledger/limits';
import type { Heavily, Route } from '../define-route.ts';
import { tooMuchAtOnce } from '../http/problem.ts';

/** How the handler of a route does its expensive work; throws 503 when the organization has too much of it under way. */
export function heavilyFor(
  limiter: Limiter,
  reads: Reads,
  orgId: string,
  { heavy }: Pick<Route, 'heavy'>,
  onWork: () => void,
): Heavily {
  return async (work) => {
    onWork();
    const leave = await limiter.enter(orgId, { capped: heavy === true });
    if (!leave) throw tooMuchAtOnce();
    try {
      return await work(reads.of(orgId));
    } finally {
      leave();
    }
  };
}
