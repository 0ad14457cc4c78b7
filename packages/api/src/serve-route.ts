import type { Db } from '@dmarc-ledger/db';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { authenticate } from './auth/authenticate.ts';
import type { KeyCache } from './auth/key-cache.ts';
import { requirePermission } from './auth/require-permission.ts';
import type { Route } from './define-route.ts';
import { answerWith, type Answer } from './http/answer.ts';
import { readQuery } from './http/target.ts';
import type { Call } from './observe.ts';
import { readInput } from './read-input.ts';

export interface ServiceNeeds {
  db: Db;
  keys: KeyCache;
  /** Read once a request. */
  now: () => Date;
}

export interface RouteRequest {
  url: string;
  rawHeaders: readonly string[];
  params: { [name: string]: string | undefined };
}

/**
 * A request to an endpoint, in the order that its checks are promised in: the key, what it allows, the parameters, then
 * the resource and the work. That the path and the method are known was settled before.
 */
export async function serveRoute(
  { db, keys, now }: ServiceNeeds,
  route: Route,
  request: RouteRequest,
  call: Call,
): Promise<Answer> {
  const instant = now();
  const caller = await authenticate(keys, request.rawHeaders, instant);
  call.caller = caller;
  requirePermission(caller, route.permission);
  const input = readInput(route, request.params, readQuery(request.url));
  const today = dayOf(instant.getTime() / 1000);
  return answerWith(await route.handle({ db, caller, now: instant, today }, input));
}
