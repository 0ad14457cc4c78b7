import { HttpProblem } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Action, Page } from '../page/define-page.ts';
import { withFilter } from '../page/filter.ts';
import { readForm } from '../page/read-form.ts';
import type { Viewer } from '../page/viewer.ts';
import { askIngester } from './ask-ingester.ts';
import { originOf } from './headers.ts';
import { pageNeedsOf } from './page-needs.ts';
import { FIRST_FAULT, NOT_FOUND, wordsFor } from './problems.tsx';
import { NO_FORM, NO_PAGE, readInput } from './read-input.ts';
import { requireOwnOrigin, requireRight, requireSameOrganization } from './require-rights.ts';
import { type At, findSignedInOf, sendPage, sendWithoutViewer } from './send-page.ts';
import { sentFrom } from './sent-from.ts';
import type { WebNeeds } from './web-needs.ts';
import { whileWaiting } from './while-waiting.ts';

/** Serves a form that a page posts. It must come from a page of this server. */
export function addAction(server: FastifyInstance, needs: WebNeeds, action: Action): void {
  server.post(action.path, async (request, reply) => {
    requireOwnOrigin(needs, request);
    const signedIn = await findSignedInOf(needs, request, reply);
    const viewer = signedIn?.viewer;
    if (!viewer) return await sendWithoutViewer(signedIn, request, reply);
    requireSameOrganization(viewer, request);
    requireRight(viewer, action.right);
    const at = { request, reply, viewer };
    const origin = originOf(request.headers, needs.appUrl);
    const from = new URL(sentFrom(request), origin);
    try {
      const outcome = await runAction(needs, at, action, origin);
      if ('redirect' in outcome) return await reply.redirect(withFilter(from, outcome.redirect), 303);
      return await sendPage(needs, { ...at, url: new URL(withFilter(from, from.pathname), origin) }, outcome);
    } catch (error) {
      return await answerRefusal(needs, { ...at, from }, action, error);
    }
  });
}

interface ViewedAt extends At {
  viewer: Viewer;
}

async function runAction(needs: WebNeeds, { request, viewer }: ViewedAt, action: Action, origin: string) {
  const input = {
    ...readInput(action.body, request.body ?? {}, NO_FORM),
    ...readInput(action.params, request.params, NO_FORM),
  };
  const db = needs.reads.of(viewer.orgId);
  const ask = async (change: { [name: string]: unknown }) =>
    await whileWaiting(request.raw.socket, async () => await askIngester(needs, viewer.orgId, change));
  return await action.run({ db, viewer, now: needs.now(), origin, ask }, input);
}

/** Shows the page of a refused form again, with the reason and with what was entered; throws what no form can mend. */
async function answerRefusal(
  needs: WebNeeds,
  { from, ...at }: ViewedAt & { from: URL },
  { form, path }: Action,
  cause: unknown,
): Promise<FastifyReply> {
  const { status, text: error } = wordsFor(cause);
  const isRefusal = cause instanceof HttpProblem || status < FIRST_FAULT;
  if (!form || !isRefusal || status === NOT_FOUND) throw cause;
  const entered = readForm(at.request.body);
  const url = addressOfForm(form, at.request, from);
  const query = { ...Object.fromEntries(url.searchParams), ...entered };
  const input = { ...readInput(form.query, query, NO_PAGE), ...readInput(form.params, at.request.params, NO_PAGE) };
  const shown = await form.load(pageNeedsOf(needs, at.viewer), input);
  if ('redirect' in shown) throw cause;
  if (status >= FIRST_FAULT) needs.onFault(cause, at.request.id);
  return await sendPage(needs, { ...at, url, refused: { action: path, error, entered } }, shown, status);
}

/** The address of the page that has the form, with the filter that it had. */
function addressOfForm({ path }: Page, request: FastifyRequest, from: URL): URL {
  const params = readForm(request.params);
  const own = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return new URL(withFilter(from, own), from);
}
