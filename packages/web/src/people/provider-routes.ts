import { admitAttempt, admitIdentity, type Identity } from '@dmarc-ledger/ledger/for-web';
import { errorCode, HttpProblem } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ownPath } from '../page/own-path.ts';
import { readForm } from '../page/read-form.ts';
import { originOf } from '../server/headers.ts';
import { peopleOf, sendPage } from '../server/send-page.ts';
import type { WebNeeds } from '../server/web-needs.ts';
import { signIn } from './begin-session.ts';
import { networkOf } from './network-of.ts';
import type { IdentityProvider } from '../identity/identity-provider.ts';
import { keepPending, type PendingCookie, takePending } from './pending-cookie.ts';
import { signInPage } from './sign-in-pages.tsx';

const BEGIN = '/sign-in/provider';
const BACK = '/sign-in/provider/back';
const Next = z.object({ next: z.string().max(1_500).catch('') });
const LONGEST_ANSWER = 8_000;

const FAILED = 'That sign-in did not work. Begin it again.';
const UNKNOWN = 'This account signs nobody in here. Its address must be proved, and belong to a member.';
const LIMITED = 'Too many attempts. Wait 15 minutes, or sign in by a link.';

/** Signing in at the identity provider: there, and back. */
export function addProviderRoutes(server: FastifyInstance, needs: WebNeeds, provider: IdentityProvider): void {
  const db = peopleOf(needs);

  server.get(BEGIN, async (request, reply) => {
    const { next } = Next.parse(readForm(request.query));
    const { url, pending } = await provider.begin(redirectUriOf(needs, request)).catch(unreachable);
    keepPending(request, reply, needs.appUrl, { ...pending, next });
    return await reply.header('cache-control', 'no-store').redirect(url.href, 302);
  });

  server.get(BACK, async (request, reply) => {
    const pending = takePending(request, reply, needs.appUrl);
    const address = request.ip;
    const refuse = async (reason: string, fault: string, status = 403) => {
      const outcome = status === 429 ? 'limited' : 'refused';
      needs.onSignIn({ outcome, by: 'oidc', email: '', address, reason });
      return await refused(needs, { request, reply }, { fault, status, next: pending?.next ?? '' });
    };
    if (!pending || request.url.length > LONGEST_ANSWER) return await refuse('not_begun', FAILED);
    if (!(await admitAttempt(db, { network: networkOf(address) }))) return await refuse('limited', LIMITED, 429);
    const answer = await finish(provider, cameBackTo(needs, request), pending);
    if ('reason' in answer) return await refuse(answer.reason, FAILED);
    const person = await admitIdentity(db, answer);
    if (typeof person === 'string') return await refuse(person, UNKNOWN);
    if (!(await signIn(needs, { request, reply }, person, 'oidc'))) return await refuse('password_set', FAILED);
    needs.onSignIn({ outcome: 'signed_in', by: 'oidc', email: person.email, address });
    return await reply.header('cache-control', 'no-store').redirect(ownPath(pending.next), 303);
  });
}

async function refused(
  needs: WebNeeds,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { fault, status, next }: { fault: string; status: number; next: string },
): Promise<FastifyReply> {
  const shown = signInPage({ next, email: '', fault, provider: needs.identityProvider?.name, canMail: false });
  return await sendPage(needs, { request, reply, viewer: undefined }, shown, status);
}

/** What the provider says about the account, or the code of what is wrong with its answer. */
async function finish(
  provider: IdentityProvider,
  url: URL,
  pending: PendingCookie,
): Promise<Identity | { reason: string }> {
  try {
    return await provider.finish(url, pending);
  } catch (error) {
    if (isUnreachable(error)) unreachable(error);
    return { reason: errorCode(error) ?? 'answer_invalid' };
  }
}

/** True where no answer of the provider was received, as against one that is not right. */
function isUnreachable(error: unknown): boolean {
  return errorCode(error) === 'OAUTH_TIMEOUT' || (error instanceof TypeError && error.message === 'fetch failed');
}

function unreachable(cause: unknown): never {
  const error = 'The identity provider did not answer. Try again, or sign in another way';
  throw new HttpProblem('identity_provider_away', { status: 503, error }, { cause });
}

function redirectUriOf({ appUrl }: WebNeeds, request: FastifyRequest): string {
  return `${originOf(request.headers, appUrl)}${BACK}`;
}

function cameBackTo(needs: WebNeeds, request: FastifyRequest): URL {
  const url = new URL(redirectUriOf(needs, request));
  url.search = new URL(request.url, url).search;
  return url;
}
