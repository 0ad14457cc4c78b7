import { HttpProblem, parseId, type Permission } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Action, Page } from '../page/define-page.ts';
import { withFilter } from '../page/filter.ts';
import { readForm } from '../page/read-form.ts';
import { isAllowed, type Right, type Viewer } from '../page/viewer.ts';
import { addressOf, isOwnOrigin, originOf } from './headers.ts';
import { askIngester } from './ask-ingester.ts';
import type { WebNeeds } from './web-needs.ts';
import { pageNeedsOf } from './page-needs.ts';
import { findViewer, sendPage, sendToSignIn } from './send-page.ts';

/** Serves a page to people whose role allows it. Without a session, the way leads to signing in and back. */
export function addPage(server: FastifyInstance, needs: WebNeeds, page: Page): void {
  server.get(page.path, async (request, reply) => {
    const viewer = await findViewer(needs, request, reply);
    if (!viewer) return await sendToSignIn(request, reply);
    requireRight(viewer, page.permission);
    const input = { ...read(page.query, request.query, NO_PAGE), ...read(page.params, request.params, NO_PAGE) };
    const shown = await page.load(pageNeedsOf(needs, viewer), input);
    if ('redirect' in shown) {
      return await reply.redirect(withFilter(addressOf(request, needs.appUrl), shown.redirect), 302);
    }
    return await sendPage(needs, { request, reply, viewer }, shown);
  });
}

/** Serves a form that a page posts. It must come from a page of this server. */
export function addAction(server: FastifyInstance, needs: WebNeeds, action: Action): void {
  server.post(action.path, async (request, reply) => {
    requireOwnOrigin(needs, request);
    const viewer = await findViewer(needs, request, reply);
    if (!viewer) return await sendToSignIn(request, reply);
    requireSameOrganization(viewer, request);
    requireRight(viewer, action.right);
    const input = {
      ...read(action.body, request.body ?? {}, NO_FORM),
      ...read(action.params, request.params, NO_FORM),
    };
    const origin = originOf(request.headers, needs.appUrl);
    const db = needs.reads.of(viewer.orgId);
    const ask = async (change: { [name: string]: unknown }) => await askIngester(needs, viewer.orgId, change);
    const outcome = await action.run({ db, viewer, now: needs.now(), origin, ask }, input);
    return await answerOutcome(needs, { request, reply, viewer }, outcome, origin);
  });
}

async function answerOutcome(
  needs: WebNeeds,
  at: { request: FastifyRequest; reply: FastifyReply; viewer: Viewer },
  outcome: Awaited<ReturnType<Action['run']>>,
  origin: string,
): Promise<FastifyReply> {
  if ('redirect' in outcome)
    return await at.reply.redirect(withFilter(cameFrom(at.request, origin), outcome.redirect), 303);
  return await sendPage(needs, at, outcome, outcome.status);
}

/** The page of this server that a form was sent from; without a usable `Referer`, one without a filter. */
function cameFrom(request: FastifyRequest, origin: string): URL {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.origin === origin ? from : new URL(origin);
}

/** Throws 403 for a form of another site. (OWASP: verifying the origin with standard headers) */
export function requireOwnOrigin({ appUrl }: WebNeeds, request: FastifyRequest): void {
  if (!isOwnOrigin(request.headers, appUrl)) {
    throw new HttpProblem('foreign_form', { status: 403, error: 'This form was sent by another site' });
  }
}

/**
 * Throws 409 for a form on a page of another organization than the one that it would change now, and for one that does
 * not name its own.
 */
export function requireSameOrganization({ orgId, orgName, memberships }: Viewer, request: FastifyRequest): void {
  const { org } = readForm(request.query);
  const named = org === undefined ? undefined : parseId(org);
  if (named === orgId) return;
  const from = memberships.find((membership) => membership.orgId === named)?.orgName ?? 'another organization';
  const error =
    org === undefined
      ? 'That form does not name its organization. Nothing was changed. Open its page again'
      : `That page was of ${from}, and you are in ${orgName} now. Nothing was changed`;
  throw new HttpProblem('other_organization', { status: 409, error });
}

function requireRight(viewer: Viewer, needed: Permission | Right): void {
  if (isAllowed(viewer, needed)) return;
  if (needed === 'operate')
    throw new HttpProblem('forbidden', { status: 403, error: 'Only operators of this server see this' });
  throw new HttpProblem('forbidden', { status: 403, error: `Your role, ${viewer.role}, does not allow this` });
}

const NO_PAGE = 'This address makes no sense';
const NO_FORM = 'Something in that form is missing, or too long';

/**
 * Reads parameters; what a page needs and is not there is a request for nothing.
 * @param otherwise what is said where the shape has no words of its own
 */
function read(shape: z.ZodObject, given: unknown, otherwise: string): { [name: string]: unknown } {
  const result = shape.safeParse(readForm(given), { error: () => otherwise });
  if (result.success) return result.data;
  throw new HttpProblem('bad_request', { status: 400, error: result.error.issues[0]?.message ?? otherwise });
}
