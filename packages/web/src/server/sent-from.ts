import type { FastifyRequest } from 'fastify';
import { ownPath } from '../page/own-path.ts';
import { readForm } from '../page/read-form.ts';

/**
 * The path of the page that a form was sent from; its origin was checked. A page that was itself the answer to a form
 * names its path in `from`, as its address in the browser is that of the form. Without either, the overview.
 */
export function sentFrom({ query, headers: { origin, referer = '' } }: FastifyRequest): string {
  const { from } = readForm(query);
  if (from !== undefined) return ownPath(from);
  const page = URL.parse(referer);
  return page !== null && page.origin === origin ? ownPath(page.pathname + page.search) : '/';
}
