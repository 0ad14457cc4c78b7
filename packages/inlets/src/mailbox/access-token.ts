import { MailboxFault } from './mailbox-fault.ts';

export interface TokenRequest {
  tokenUrl: string;
  clientId: string;
  clientSecret: string | null;
  grant: { type: 'client_credentials' } | { type: 'refresh_token'; refreshToken: string };
  scope: string | null;
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
}: TokenRequest): Promise<IssuedToken> {
  const form = new URLSearchParams({ client_id: clientId, grant_type: grant.type });
  if (clientSecret !== null) form.set('client_secret', clientSecret);
  if (grant.type === 'refresh_token') form.set('refresh_token', grant.refreshToken);
  if (scope !== null) form.set('scope', scope);
  const { status, body } = await post(tokenUrl, form);
  const { access_token, expires_in, refresh_token, error } = body;
  if (status === 200 && typeof access_token === 'string' && access_token !== '') {
    const lifetime = Number(expires_in) > 0 ? Number(expires_in) : USUAL_LIFETIME_S;
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

async function post(
  url: string,
  form: URLSearchParams,
): Promise<{ status: number; body: { [name: string]: unknown } }> {
  try {
    const headers = { accept: 'application/json' };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { method: 'POST', body: form, headers, redirect: 'error', signal });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.length;
      if (size > LARGEST_ANSWER) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return { status: answer.status, body: fieldsOf(Buffer.concat(chunks).toString()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new MailboxFault('token_unavailable', `The token endpoint gave no answer: ${message.slice(0, 120)}`, {
      cause,
    });
  }
}

function fieldsOf(text: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
