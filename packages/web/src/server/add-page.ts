import type { FastifyInstance } from 'fastify';
import type { Page } from '../page/define-page.ts';
import { withFilter } from '../page/filter.ts';
import { homeOf } from '../page/viewer.ts';
import { addressOf } from './headers.ts';
import { changePage, readNamed } from './named-organization.tsx';
import { pageNeedsOf } from './page-needs.ts';
import { NO_PAGE, readInput } from './read-input.ts';
import { requireRight } from './require-rights.ts';
import { findSignedInOf, sendPage, sendWithoutViewer } from './send-page.ts';
import type { WebNeeds } from './web-needs.ts';

/**
 * Serves a page to people whose role allows it. Without a session, the way leads to signing in and back; without an
 * organization, to `/orgs`; where the address names another organization of theirs, to changing to it and on.
 */
export function addPage(server: FastifyInstance, needs: WebNeeds, page: Page): void {
  server.get(page.path, async (request, reply) => {
    const signedIn = await findSignedInOf(needs, request, reply);
    const viewer = signedIn?.viewer;
    if (!viewer) return await sendWithoutViewer(signedIn, request, reply);
    const url = addressOf(request, needs.appUrl);
    const { other, query } = readNamed(viewer, request.query);
    if (other) return await sendPage(needs, { request, reply, viewer }, changePage(other, url));
    const home = homeOf(viewer);
    if (page.path === '/' && home !== '/') {
      return await reply.redirect(withFilter(url, home), 302);
    }
    requireRight(viewer, page.permission);
    const input = {
      ...readInput(page.query, query, NO_PAGE),
      ...readInput(page.params, request.params, NO_PAGE),
    };
    const shown = await page.load(pageNeedsOf(needs, viewer), input);
    if ('redirect' in shown) {
      return await reply.redirect(withFilter(url, shown.redirect), 302);
    }
    return await sendPage(needs, { request, reply, viewer }, shown);
  });
}
