import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { IssuedTokens } from './issued-tokens.ts';
import { listeningPort } from './listening-port.ts';
import { tokenAnswer, tokenInfoAnswer, type Answer, type Authority } from './token-answers.ts';

export interface TokenServerOptions {
  /** The lifetime of an access token. */
  lifetimeSeconds?: number;
  /** Whether each refresh returns another refresh token, and voids the used one; default: true. */
  rotates?: boolean;
  /** The user whose mailbox the client's own credentials open. */
  applicationUser?: string;
}

/** An OAuth2 authority of one test, on loopback: its token endpoint, and the token check for Dovecot. */
export interface TokenServer extends AsyncDisposable {
  tokenUrl: string;
  tokenInfoUrl: string;
  /** Its settings and faults; all of them may be changed at any time. */
  authority: Authority;
  /** The requests to the token endpoint, including secrets. */
  requests: URLSearchParams[];
  /** A refresh token of the user, as a consent returns it. */
  consent(user: string): string;
  /** An access token that bypasses the endpoint; an expired one for a negative lifetime. */
  accessToken(user: string, lifetimeSeconds?: number): string;
  revoke(token: string): void;
  close(): Promise<void>;
}

export async function tokenServer(options: TokenServerOptions = {}): Promise<TokenServer> {
  const { lifetimeSeconds = 3_600, rotates = true, applicationUser = 'reports@example.com' } = options;
  const tokens = new IssuedTokens();
  const client = { clientId: 'dmarc-ledger', clientSecret: 'client-secret' };
  const authority: Authority = { ...client, lifetimeSeconds, rotates, applicationUser, tokens };
  const requests: URLSearchParams[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = await answer(authority, requests, request);
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void reply(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${listeningPort(server)}`;
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return {
    tokenUrl: `${origin}/token`,
    tokenInfoUrl: `${origin}/tokeninfo`,
    authority,
    requests,
    consent: (user) => tokens.newRefresh(user),
    accessToken: (user, seconds = authority.lifetimeSeconds) => tokens.newAccess(user, seconds),
    revoke: (token) => tokens.revoke(token),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answer(authority: Authority, requests: URLSearchParams[], request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (pathname === '/tokeninfo') return tokenInfoAnswer(authority, searchParams.get('access_token') ?? '');
  if (pathname !== '/token' || request.method !== 'POST') return { status: 404, body: {} };
  const asked = new URLSearchParams(await text(request));
  requests.push(asked);
  return await tokenAnswer(authority, asked, request.headers.authorization);
}
