import type { Route } from './define-route.ts';
import type { Answer } from './http/answer.ts';
import type { Metered } from './metering/metered.ts';
import { rateHeaders } from './metering/rate-headers.ts';
import type { Call } from './observe.ts';
import { refuse } from './refuse.ts';
import { serveRoute, type RouteRequest, type ServiceNeeds } from './serve-route.ts';

const FIRST_ERROR = 500;

/** Answers a request to an endpoint, including every error. A metered response has the quota headers. */
export async function answerRequest(
  needs: ServiceNeeds,
  route: Route,
  request: RouteRequest,
  call: Call,
): Promise<Answer> {
  const metered: Metered = {};
  const answer = await serveRoute(needs, route, request, { call, metered }).catch((error) => refuse(error, call));
  const { caller } = call;
  if (answer.status >= FIRST_ERROR && caller && metered.hour !== undefined) {
    needs.limiter.noteError({ orgId: caller.orgId, keyId: caller.keyId, hour: metered.hour });
  }
  if (!metered.window) return answer;
  return { ...answer, headers: { ...answer.headers, ...rateHeaders(metered.window) } };
}
