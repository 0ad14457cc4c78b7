import {
  admitAttempt,
  chooseOrganization,
  endSession,
  findIdentity,
  findPerson,
  listSessions,
  ownOrganization,
  removeIdentity,
  setPassword,
} from '@dmarc-ledger/ledger/for-web';
import { hashPassword, isPassword } from '@dmarc-ledger/secrets';
import { HttpProblem, parseId } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csvFile, csvShape, inMemory } from '../page/csv-file.ts';
import { ownPath } from '../page/own-path.ts';
import { readForm } from '../page/read-form.ts';
import { requireOwnOrigin } from '../server/require-rights.ts';
import type { SignedIn } from '../server/find-viewer.ts';
import type { WebNeeds } from '../server/web-needs.ts';
import { findSignedInOf, peopleOf, sendPage, sendToSignIn } from '../server/send-page.ts';
import { dropToken } from '../server/session-cookie.ts';
import { networkOf } from './network-of.ts';
import { accountPage } from './account-pages.tsx';
import { findOrganizations } from './find-organizations.ts';
import { organizationColumns } from './organizations-csv.ts';
import { organizationsPage } from './organizations-page.tsx';

const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 200;
const LIMITED = 'Too many attempts. Wait 15 minutes.';
const text = z.string().max(1_000).catch('');
const NewPassword = z.object({ current: text, password: text });
const Next = z.object({ next: z.string().max(2_000).catch('') });
const Id = z.object({ id: z.string().transform((value) => parseId(value) ?? '') });

const Organizations = z.object({ search: z.string().trim().max(200).catch(''), ...csvShape });

type Handler = (signedIn: SignedIn, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What people do with their own account, whatever their role: password, sessions, the organization to look at. */
export function addAccountRoutes(server: FastifyInstance, needs: WebNeeds): void {
  const db = peopleOf(needs);
  const signedIn = (handle: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method === 'POST') requireOwnOrigin(needs, request);
    const found = await findSignedInOf(needs, request, reply);
    return found ? await handle(found, request, reply) : await sendToSignIn(request, reply);
  };
  const showAccount = async (found: SignedIn, at: [FastifyRequest, FastifyReply], fault?: string, status = 400) => {
    const [request, reply] = at;
    const { session, viewer } = found;
    const [person, sessions] = await Promise.all([findPerson(db, session.email), listSessions(db, session.personId)]);
    const hasPassword = Boolean(person?.passwordHash);
    const provider = needs.identityProvider && {
      name: needs.identityProvider.name,
      identity: await findIdentity(db, session.personId, needs.identityProvider.issuer),
    };
    const shown = accountPage({ session, sessions, hasPassword, provider, fault, shortest: SHORTEST_PASSWORD });
    return await sendPage(needs, { request, reply, viewer }, shown, fault === undefined ? 200 : status);
  };

  server.get(
    '/account',
    signedIn(async (found, request, reply) => await showAccount(found, [request, reply])),
  );

  server.post(
    '/account/password',
    signedIn(async (found, request, reply) => {
      const { session } = found;
      const { current, password } = NewPassword.parse(readForm(request.body));
      const attempt = { by: 'present_password', email: session.email, address: request.ip };
      if (!(await admitAttempt(db, { email: session.email, network: networkOf(request.ip) }))) {
        needs.onSignIn({ outcome: 'limited', ...attempt });
        return await showAccount(found, [request, reply], LIMITED, 429);
      }
      const person = await findPerson(db, session.email);
      const mustProve = Boolean(person?.passwordHash) && !session.isAddressProven;
      if (mustProve && !(await isPassword(current, person?.passwordHash ?? null))) {
        needs.onSignIn({ outcome: 'refused', ...attempt });
        return await showAccount(found, [request, reply], 'The present password is not right.', 403);
      }
      const fault = faultOf(password);
      if (fault !== undefined) return await showAccount(found, [request, reply], fault);
      const isSet = await setPassword(db, session.personId, await hashPassword(password), session.id);
      if (!isSet) return await sendToSignIn(request, reply);
      return await reply.redirect('/account?saved=password', 303);
    }),
  );

  server.post(
    '/account/identity/remove',
    signedIn(async ({ session }, _request, reply) => {
      if (!needs.identityProvider) throw missing('There is no identity provider');
      await removeIdentity(db, session.personId, needs.identityProvider.issuer);
      return await reply.redirect('/account', 303);
    }),
  );

  server.post(
    '/account/sessions/:id/end',
    signedIn(async ({ session }, request, reply) => {
      const { id } = Id.parse(readForm(request.params));
      if (!id || !(await endSession(db, session.personId, id))) throw missing('There is no such session');
      return await reply.redirect('/account', 303);
    }),
  );

  server.post(
    '/sign-out',
    signedIn(async ({ session }, request, reply) => {
      await endSession(db, session.personId, session.id);
      dropToken(request, reply, needs.appUrl);
      return await reply.redirect('/sign-in', 303);
    }),
  );

  server.post(
    '/orgs/own',
    signedIn(async ({ session }, _request, reply) => {
      const own = await ownOrganization(db, session.email);
      if (own === undefined) throw missing('You own no organization. Ask the operator of this server for one');
      await chooseOrganization(db, session.id, own);
      return await reply.redirect('/settings/ingest', 303);
    }),
  );

  server.post(
    '/orgs/:id',
    signedIn(async ({ session, memberships }, request, reply) => {
      const { id } = Id.parse(readForm(request.params));
      if (!memberships.some(({ orgId }) => orgId === id)) throw missing('You do not belong to such an organization');
      const { next } = Next.parse(readForm(request.body));
      await chooseOrganization(db, session.id, id);
      return await reply.redirect(ownPath(next), 303);
    }),
  );

  server.get(
    '/orgs',
    signedIn(async (found, request, reply) => {
      const { viewer } = found;
      const { search, format } = Organizations.parse(readForm(request.query));
      const rows = await findOrganizations(needs, found, search);
      const shown =
        format === 'csv'
          ? await csvFile('organizations.csv', organizationColumns, inMemory(rows))
          : organizationsPage(rows, { search, current: viewer?.orgId, total: found.memberships.length });
      return await sendPage(needs, { request, reply, viewer }, shown);
    }),
  );
}

function faultOf(password: string): string | undefined {
  if ([...password].length < SHORTEST_PASSWORD) return `A password has ${SHORTEST_PASSWORD} characters or more.`;
  return password.length > LONGEST_PASSWORD ? `A password has at most ${LONGEST_PASSWORD} characters.` : undefined;
}

function missing(error: string): HttpProblem {
  return new HttpProblem('not_found', { status: 404, error });
}
