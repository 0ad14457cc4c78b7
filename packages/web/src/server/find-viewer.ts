import {
  type ActiveSession,
  findMemberships,
  findSession,
  keepOrganization,
  type Membership,
} from '@dmarc-ledger/ledger/for-web';
import type { Db } from '@dmarc-ledger/schema';
import { permissionsOf } from '@dmarc-ledger/vocabulary';
import type { Viewer } from '../page/viewer.ts';

/** Who is signed in: without a viewer, a person who belongs to no organization now. */
export interface SignedIn {
  session: ActiveSession;
  memberships: readonly Membership[];
  viewer: Viewer | undefined;
}

/**
 * Finds who a session token belongs to, with what they may do now: a member who was removed, and one whose role was
 * changed, is that from the next request on.
 */
export async function findSignedIn(db: Db, token: string): Promise<SignedIn | undefined> {
  const session = await findSession(db, token);
  if (!session) return undefined;
  const memberships = await findMemberships(db, session.email);
  const current = memberships.find(({ orgId }) => orgId === session.orgId) ?? memberships[0];
  if (current && current.orgId !== session.orgId) await keepOrganization(db, session, current.orgId);
  return { session, memberships, viewer: current && viewerOf(session, current, memberships) };
}

/** Somebody as the member of one of their organizations. */
export function viewerOf(session: ActiveSession, current: Membership, memberships: readonly Membership[]): Viewer {
  return {
    sessionId: session.id,
    personId: session.personId,
    email: session.email,
    isOperator: session.isOperator,
    ...current,
    permissions: permissionsOf('full', current.role),
    memberships,
  };
}
