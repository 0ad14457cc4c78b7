import type { NewMailbox } from '@dmarc-ledger/ledger';
import { type Credentials, MailboxFault } from '@dmarc-ledger/inlets';
import type { OauthSecret } from '@dmarc-ledger/pipeline';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { requestAnyToken } from './request-token.ts';

const secret = z.string().min(1).max(4_000);

/** How a mailbox is signed in to, as a person enters it on the pages. */
export const signInInput = z.discriminatedUnion('auth', [
  z.object({ auth: z.literal('password'), password: z.string().min(1).max(1_000) }),
  z.object({
    auth: z.literal('oauth'),
    tokenUrl: z.url('Give the address of the token endpoint').max(2_000),
    clientId: z.string('Give the OAuth client').min(1, 'Give the OAuth client').max(320),
    clientSecret: secret.nullable(),
    refreshToken: secret.nullable(),
    scope: z.string().min(1).max(1_000).nullable(),
  }),
]);

/** What a mailbox is signed in with, and what is kept of it. */
export interface SignIn extends Pick<NewMailbox, 'auth' | 'oauth'> {
  credentials: Credentials;
  /** To be sealed. */
  secret: string;
}

/** Turns what was entered into credentials; for OAuth, by a first token. */
export async function prepareSignIn(input: z.output<typeof signInInput>, isOpen: boolean): Promise<SignIn> {
  if (input.auth === 'password') {
    const { password } = input;
    return { auth: 'password', oauth: null, credentials: { password }, secret: password };
  }
  const { clientId, clientSecret, refreshToken, scope } = input;
  if (clientSecret === null && refreshToken === null)
    throw refused('Give the secret of the OAuth client, a refresh token, or both.');
  const tokenUrl = readTokenUrl(input.tokenUrl, isOpen);
  const grant = refreshToken === null ? ({ type: 'client_credentials' } as const) : grantOf(refreshToken);
  const given = await requestAnyToken({ tokenUrl, isPublicOnly: !isOpen, clientId, clientSecret, grant, scope });
  const kept: OauthSecret = { clientSecret, refreshToken: given.refreshToken ?? refreshToken };
  return {
    auth: 'oauth',
    oauth: { tokenUrl, clientId, grant: grant.type, scope },
    credentials: given,
    secret: JSON.stringify(kept),
  };
}

/** Answers what is wrong with a mailbox in words for the person who entered it. */
export async function withReportedFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MailboxFault) throw refused(error.message, error);
    throw error;
  }
}

export function refused(error: string, cause?: unknown): HttpProblem {
  return new HttpProblem('mailbox_refused', { status: 422, error }, { cause });
}

function grantOf(refreshToken: string) {
  return { type: 'refresh_token', refreshToken } as const;
}

/** Other ports are for the operator of the server: connections there would reveal which services listen. */
function readTokenUrl(text: string, isOpen: boolean): string {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(isOpen && url.protocol === 'http:'))
    throw refused('The token endpoint must begin with https://');
  if (!isOpen && url.port !== '') throw refused('The token endpoint must be on the usual port of https://');
  if (url.username !== '' || url.password !== '') throw refused('The token endpoint must be without a user name.');
  return url.href;
}
