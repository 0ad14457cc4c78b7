import { HttpProblem, parseId, type Permission } from '@dmarc-ledger/vocabulary';
import type { FastifyRequest } from 'fastify';
import { readForm } from '../page/read-form.ts';
import { isAllowed, type Right, type Viewer } from '../page/viewer.ts';
import { isOwnOrigin } from './headers.ts';
import type { WebNeeds } from './web-needs.ts';

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

/** Throws 403 where the role of the viewer does not allow this. */
export function requireRight(viewer: Viewer, needed: Permission | Right): void {
  if (isAllowed(viewer, needed)) return;
  if (needed === 'operate')
    throw new HttpProblem('forbidden', { status: 403, error: 'Only operators of this server see this' });
  throw new HttpProblem('forbidden', { status: 403, error: `Your role, ${viewer.role}, does not allow this` });
}
