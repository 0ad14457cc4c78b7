import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedTokens } from './issued-tokens.ts';

/** How the token endpoint fails. */
export type TokenTrouble = 'invalid_grant' | 'server_error' | 'no_json' | 'hang' | 'slow';

/** An authority as its endpoints see it. */
export interface Authority {
  clientId: string;
  clientSecret: string;
  lifetimeSeconds: number;
  trouble?: TokenTrouble;
  rotates: boolean;
  applicationUser: string;
  tokens: IssuedTokens;
}

export interface Answer {
  status: number;
  body: object | string;
}

const SLOW_MS = 1_000;

/** The response of the token endpoint. (RFC 6749, 5) */
export async function tokenAnswer(
  authority: Authority,
  asked: URLSearchParams,
  authorization?: string,
): Promise<Answer> {
  switch (authority.trouble) {
    case 'hang':
      return await new Promise(() => {});
    case 'server_error':
      return { status: 500, body: 'Internal Server Error' };
    case 'no_json':
      return { status: 200, body: '<html>Sign in to this network</html>' };
    case 'invalid_grant':
      return refusal('invalid_grant', 'The consent was withdrawn.');
    case 'slow':
      await sleep(SLOW_MS);
      break;
    case undefined:
  }
  if (isClient(authority, asked, authorization)) return grant(authority, asked);
  return { ...refusal('invalid_client', 'Unknown client, or its secret has expired.'), status: 401 };
}

/** The introspection of an access token: its user, or that it is invalid. */
export function tokenInfoAnswer({ tokens }: Authority, token: string): Answer {
  const user = tokens.userOfAccess(token);
  if (user === undefined) return refusal('invalid_token', 'Expired or unknown.');
  return { status: 200, body: { active: true, email: user } };
}

function grant({ tokens, rotates, applicationUser, lifetimeSeconds }: Authority, asked: URLSearchParams): Answer {
  const issue = (user: string, more = {}) => {
    const token = { access_token: tokens.newAccess(user, lifetimeSeconds), token_type: 'Bearer' };
    return { status: 200, body: { ...token, expires_in: lifetimeSeconds, ...more } };
  };
  if (asked.get('grant_type') === 'client_credentials') return issue(applicationUser);
  if (asked.get('grant_type') !== 'refresh_token') return refusal('unsupported_grant_type', 'None that there is.');
  const used = asked.get('refresh_token') ?? '';
  const user = tokens.userOfRefresh(used);
  if (user === undefined) return refusal('invalid_grant', 'The refresh token is void.');
  if (!rotates) return issue(user);
  tokens.revoke(used);
  return issue(user, { refresh_token: tokens.newRefresh(user) });
}

/** Credentials come in the body or by HTTP Basic. (RFC 6749, 2.3.1) */
function isClient({ clientId, clientSecret }: Authority, asked: URLSearchParams, authorization = ''): boolean {
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (authorization) return authorization === basic;
  return asked.get('client_id') === clientId && asked.get('client_secret') === clientSecret;
}

function refusal(error: string, description: string): Answer {
  return { status: 400, body: { error, error_description: description } };
}
