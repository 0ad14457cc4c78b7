import type { Reads } from '@dmarc-ledger/schema';
import type { Limiter } from '@dmarc-ledger/limits';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { authenticate } from './auth/authenticate.ts';
import type { KeyCache } from './auth/key-cache.ts';
import { requirePermission } from './auth/require-permission.ts';
import type { ResponseCaches } from './response-caches.ts';
import type { Route } from './define-route.ts';
import { answerWith, type Answer } from './http/answer.ts';
import { quotaExceeded, rateLimited } from './http/problem.ts';
import { readQuery } from './http/target.ts';
import { expensiveWorkOf } from './metering/expensive-work.ts';
import type { Metered } from './metering/metered.ts';
import type { UsageWriter } from './metering/usage-writer.ts';
import type { Call } from './observe.ts';
import { readInput } from './read-input.ts';

export interface ServiceNeeds {
  reads: Reads;
  heavyReads: Reads;
  keys: KeyCache;
  limiter: Limiter;
  usage: UsageWriter;
  caches: ResponseCaches;
  /** Read once for each request. */
  now: () => Date;
}

export interface RouteRequest {
  url: string;
  rawHeaders: readonly string[];
  params: { [name: string]: string | undefined };
}

/**
 * Answers a request to an endpoint, with the checks in the documented order: the key, the abuse limits, the key's
 * permissions, the quota, the parameters, then the resource and the work. Path and method were checked before; the slot
 * for heavy work is taken when it begins. (rules, api/order-of-checks)
 */
export async function serveRoute(
  { reads, heavyReads, keys, limiter, usage, caches, now }: ServiceNeeds,
  route: Route,
  request: RouteRequest,
  { call, metered }: { call: Call; metered: Metered },
): Promise<Answer> {
  const instant = now();
  const caller = await authenticate(keys, request.rawHeaders, { now: instant, takesPassword: route.takesPassword });
  call.caller = caller;
  limiter.noteUse(caller, instant);
  const { outcome, window, retryAfter } = await limiter.admit({
    orgId: caller.orgId,
    keyId: caller.keyId,
    quota: caller.hourlyQuota,
    metered: caller.permissions.has(route.permission),
    heavy: route.heavy !== undefined,
  });
  metered.hour = window.hour;
  if (outcome === 'rate_limited') throw rateLimited(retryAfter);
  requirePermission(caller, route.permission);
  metered.window = window;
  if (outcome === 'quota_exceeded') throw quotaExceeded(retryAfter);
  const input = readInput(route, request.params, readQuery(request.url));
  const today = dayOf(instant.getTime() / 1000);
  const expensively = expensiveWorkOf({ limiter, reads: heavyReads }, caller.orgId, route, () => {
    call.kept = false;
  });
  const db = reads.of(caller.orgId);
  const meter = { window, write: () => usage.write() };
  if (route.heavy) call.kept = true;
  const result = await route.handle({ db, caller, now: instant, today, expensively, caches, meter }, input);
  return answerWith(result, route.mediaType);
}
