import { findChanges } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import type { AnswerCache } from './answer-cache.ts';
import type { RequestNeeds } from './define-route.ts';

export type UnchangedNeeds = Pick<RequestNeeds, 'db' | 'caller' | 'now' | 'today' | 'expensively'>;

/** Where a body is kept, and the values of the request that it depends on beside the organization. */
interface Kept<Body> {
  cache: AnswerCache<Body>;
  key: readonly (string | number)[];
}

/**
 * Returns a body that is computed once for a state of the organization and a day: reports, checks, events and decisions
 * end it. An organization without reports is computed again each time, which is cheap.
 */
export async function whileUnchanged<Body>(
  { db, caller: { orgId }, now, today, expensively }: UnchangedNeeds,
  { cache, key }: Kept<Body>,
  compute: (db: Db) => Promise<Body>,
): Promise<Body> {
  const changes = await findChanges(db, orgId);
  if (changes === undefined) return await expensively(compute);
  const version = `${changes} ${today}`;
  return await cache.get(JSON.stringify([orgId, ...key]), version, now.getTime(), () => expensively(compute));
}
