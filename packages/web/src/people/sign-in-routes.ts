import { admitAttempt, findLink, findPerson, takeLink } from '@dmarc-ledger/ledger/for-web';
import { isPassword } from '@dmarc-ledger/secrets';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ownPath } from '../page/own-path.ts';
import { readForm } from '../page/read-form.ts';
import { requireOwnOrigin } from '../server/require-rights.ts';
import type { WebNeeds } from '../server/web-needs.ts';
import { findSignedInOf, peopleOf, sendPage } from '../server/send-page.ts';
import { signIn } from './begin-session.ts';
import { networkOf } from './network-of.ts';
import { mailReset } from './mail-reset.ts';
import { forgotPage, linkPage, signInPage } from './sign-in-pages.tsx';

const field = (most: number) => z.string().max(most).catch('');
const SignIn = z.object({ email: field(320), password: field(1_000), next: field(2_000) });
const Link = z.object({ token: field(100), next: field(2_000) });
const REFUSED = 'This address and password do not belong together.';
const LIMITED = 'Too many attempts. Wait 15 minutes, or sign in by a link.';

/** Signing in: by password, and by a link that works once. */
export function addSignInRoutes(server: FastifyInstance, needs: WebNeeds): void {
  const db = peopleOf(needs);
  const provider = needs.identityProvider?.name;
  const canMail = needs.ingestUrl !== undefined;

  server.get('/sign-in', async (request, reply) => {
    if (await findSignedInOf(needs, request, reply)) return await reply.redirect('/', 303);
    const { next } = SignIn.parse(readForm(request.query));
    return await sendPage(
      needs,
      { request, reply, viewer: undefined },
      signInPage({ next, email: '', provider, canMail }),
    );
  });

  server.post('/sign-in', async (request, reply) => {
    requireOwnOrigin(needs, request);
    const { email, password, next } = SignIn.parse(readForm(request.body));
    const address = request.ip;
    const again = async (status: number, fault: string) =>
      await sendPage(
        needs,
        { request, reply, viewer: undefined },
        signInPage({ next, email, fault, provider, canMail }),
        status,
      );
    if (!(await admitAttempt(db, { email, network: networkOf(address) }))) {
      needs.onSignIn({ outcome: 'limited', by: 'password', email, address });
      return await again(429, LIMITED);
    }
    const person = await findPerson(db, email);
    const isRight = await isPassword(password, person?.passwordHash ?? null);
    if (!person || !isRight || !(await signIn(needs, { request, reply }, person, 'password'))) {
      needs.onSignIn({ outcome: 'refused', by: 'password', email, address });
      return await again(403, REFUSED);
    }
    needs.onSignIn({ outcome: 'signed_in', by: 'password', email: person.email, address });
    return await reply.redirect(ownPath(next), 303);
  });

  server.post('/sign-in/forgot', async (request, reply) => {
    requireOwnOrigin(needs, request);
    const { email } = SignIn.parse(readForm(request.body));
    const address = request.ip;
    // Attempts with a password do not count here: a link is the way in for an account that others try.
    const isAdmitted = await admitAttempt(db, { network: networkOf(address) });
    needs.onSignIn({ outcome: isAdmitted ? 'link_asked' : 'limited', by: 'mail', email, address });
    // Not awaited, so that the time of the answer does not show whether the address belongs to somebody.
    if (isAdmitted) void mailReset(needs, email).catch((error: unknown) => needs.onFault(error, request.id));
    return await sendPage(needs, { request, reply, viewer: undefined }, forgotPage());
  });

  // Looking at a link does not use it up: programs that preview links would.
  server.get('/sign-in/link', async (request, reply) => {
    const { token, next } = Link.parse(readForm(request.query));
    const link = token ? await findLink(db, token) : undefined;
    const shown = linkPage({ token, next, link });
    return await sendPage(needs, { request, reply, viewer: undefined }, shown, link ? 200 : 404);
  });

  server.post('/sign-in/link', async (request, reply) => {
    requireOwnOrigin(needs, request);
    const { token, next } = Link.parse(readForm(request.body));
    const link = token ? await takeLink(db, token) : undefined;
    if (!link || !(await signIn(needs, { request, reply }, link, 'link'))) {
      const shown = linkPage({ token, next, link: undefined });
      return await sendPage(needs, { request, reply, viewer: undefined }, shown, 404);
    }
    needs.onSignIn({ outcome: 'signed_in', by: link.purpose, email: link.email, address: request.ip });
    return await reply.redirect(link.purpose === 'sign_in' ? ownPath(next) : '/account', 303);
  });
}
