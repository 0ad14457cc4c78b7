import { beginSession, endSession, findSession, type Person } from '@dmarc-ledger/ledger/for-web';
import type { SignedInBy } from '@dmarc-ledger/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { peopleOf } from '../server/send-page.ts';
import { keepToken, readToken } from '../server/session-cookie.ts';
import type { WebNeeds } from '../server/web-needs.ts';

/**
 * Begins a session in this browser. Its earlier session ends, so that no token outlives a change of person. False, and
 * nothing changes, when the person's password was set since they proved who they are.
 */
export async function signIn(
  needs: WebNeeds,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  person: Pick<Person, 'id' | 'passwordHash'>,
  by: SignedInBy,
): Promise<boolean> {
  const db = peopleOf(needs);
  const userAgent = request.headers['user-agent'] ?? '';
  const token = await beginSession(db, { person, by, userAgent, address: request.ip });
  if (token === undefined) return false;
  const earlier = readToken(request, needs.appUrl);
  const session = earlier === undefined ? undefined : await findSession(db, earlier);
  if (session) await endSession(db, session.personId, session.id);
  keepToken(request, reply, needs.appUrl, token);
  return true;
}
