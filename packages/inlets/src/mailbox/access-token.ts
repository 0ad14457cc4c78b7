import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { MailboxFault } from './mailbox-fault.ts';
import { reachHost } from './reach-host.ts';

export interface TokenRequest {
  tokenUrl: string;
  clientId: string;
  clientSecret: string | null;
  grant: { type: 'client_credentials' } | { type: 'refresh_token'; refreshToken: string };
  scope: string | null;
  /** Which addresses the endpoint may have, when others chose it; without it, all. */
  isAllowed?: ((address: string) => boolean) | undefined;
}

export interface IssuedToken {
  accessToken: string;
  expiresAt: Date;
  /** The new refresh token where the server rotates them: the old one is no longer valid. */
  refreshToken: string | null;
}

const TIMEOUT_MS = 10_000;
const LARGEST_ANSWER = 64 * 1024;
const USUAL_LIFETIME_S = 3_600;
/** A later instant may not be one at all; a new refresh token must never be lost for that. */
const LONGEST_LIFETIME_S = 365 * 86_400;
/** The grant itself is invalid: a retry cannot help. (RFC 6749, 5.2) */
const REFUSALS = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope', 'access_denied']);

/**
 * Requests an access token from a token endpoint (RFC 6749, 4.4 and 6). Only over TLS, except for a server on this
 * machine.
 */
export async function requestToken({
  tokenUrl,
  clientId,
  clientSecret,
  grant,
  scope,
  isAllowed,
}: TokenRequest): Promise<IssuedToken> {
  const form = new URLSearchParams({ client_id: clientId, grant_type: grant.type });
  if (clientSecret !== null) form.set('client_secret', clientSecret);
  if (grant.type === 'refresh_token') form.set('refresh_token', grant.refreshToken);
  if (scope !== null) form.set('scope', scope);
  const { status, body } = await post(tokenUrl, form, isAllowed);
  const { access_token, expires_in, refresh_token, error } = body;
  if (status === 200 && typeof access_token === 'string' && access_token !== '') {
    const said = Number(expires_in);
    const lifetime = said > 0 ? Math.min(said, LONGEST_LIFETIME_S) : USUAL_LIFETIME_S;
    return {
      accessToken: access_token,
      expiresAt: new Date(Date.now() + lifetime * 1000),
      refreshToken: typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : null,
    };
  }
  const reason = typeof error === 'string' ? error.slice(0, 60) : `status ${status}`;
  throw REFUSALS.has(reason)
    ? new MailboxFault('token_refused', `The token endpoint refused: ${reason}`)
    : new MailboxFault('token_unavailable', `The token endpoint gave no token: ${reason}`);
}

interface Answer {
  status: number;
  body: { [name: string]: unknown };
}

async function post(url: string, form: URLSearchParams, isAllowed: TokenRequest['isAllowed']): Promise<Answer> {
  try {
    const answer = await send(new URL(url), form.toString(), isAllowed);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > LARGEST_ANSWER) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return { status: answer.statusCode ?? 0, body: fieldsOf(Buffer.concat(chunks).toString()) };
  } catch (error) {
    if (error instanceof MailboxFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new MailboxFault('token_unavailable', `The token endpoint gave no answer: ${message.slice(0, 120)}`, {
      cause: error,
    });
  }
}

/** Connects to an address that was checked, which `fetch` cannot. Redirects are not followed. */
async function send(url: URL, body: string, isAllowed: TokenRequest['isAllowed']): Promise<IncomingMessage> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const reach = await reachHost(url.hostname.replace(/^\[(.*)\]$/, '$1'), isAllowed, signal);
  const begin = url.protocol === 'https:' ? requestOverTls : requestPlain;
  const request = begin({
    ...reach,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    agent: false,
    signal,
    headers: {
      host: url.host,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      'content-length': Buffer.byteLength(body),
    },
  });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

function fieldsOf(text: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
