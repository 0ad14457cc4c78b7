import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { responseCaches } from '@dmarc-ledger/api/answers';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import fastify from 'fastify';
import { addAccountRoutes } from './people/account-routes.ts';
import { openIdentityProvider } from './identity/identity-provider.ts';
import { addDigestRoutes } from './people/digest-routes.tsx';
import { addProviderRoutes } from './people/provider-routes.ts';
import { addSignInRoutes } from './people/sign-in-routes.ts';
import { actions, pages } from './pages/index.ts';
import { addAction } from './server/add-action.ts';
import { addPage } from './server/add-page.ts';
import { addUploadRoute } from './server/add-upload.ts';
import { limitBodies } from './server/limit-bodies.ts';
import { addAssets } from './server/add-assets.ts';
import { addHelp } from './server/add-help.ts';
import { answerMissing, answerProblem } from './server/problems.tsx';
import type { WebNeeds, WebOptions } from './server/web-needs.ts';

export interface Web {
  /** Answers requests of a server that was opened elsewhere. */
  listener: RequestListener;
  listen(at: { host: string; port: number }): Promise<string>;
  close(): Promise<void>;
}

/** The proxy in front is on this machine or in its network; the address of the client is the one that it names. */
const PROXIES = ['loopback', 'linklocal', 'uniquelocal'];
const FORM_BYTES = 64 * 1_024;
/** A domain of 253 characters, each percent-encoded. */
const LONGEST_PARAMETER = 2_048;
/** Forms with files take longer than others, whose time is limited by itself. */
const REQUEST_MS = 900_000;
const HEADERS_MS = 10_000;
/** The interval of checks for late headers. */
const CHECK_MS = 5_000;
/** Open connections of all clients: each takes a file descriptor and memory before its client has signed in. */
const CONNECTIONS = 1_000;
/** Without a byte either way, the client counts as gone. */
const SILENCE_MS = 20_000;

/** Creates the pages without opening a port. */
export async function makeWeb(options: WebOptions): Promise<Web> {
  const { reads, heavyReads, caching, appUrl, ingestUrl, onFault, onSignIn } = options;
  const { onRawRead = () => undefined, now = () => new Date(), connections = CONNECTIONS } = options;
  const { bodyMs, silenceMs = SILENCE_MS } = options;
  const identityProvider = options.identityProvider && openIdentityProvider(options.identityProvider);
  const needs: WebNeeds = {
    reads,
    heavyReads,
    appUrl,
    ingestUrl,
    identityProvider,
    onFault,
    onSignIn,
    onRawRead,
    now,
    caches: responseCaches(caching),
  };
  const server = fastify({
    bodyLimit: FORM_BYTES,
    requestTimeout: REQUEST_MS,
    connectionTimeout: silenceMs,
    exposeHeadRoutes: true,
    return503OnClosing: false, // what arrives while it ends is answered, and then its connection closed
    trustProxy: PROXIES,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: CHECK_MS },
  });
  server.server.maxConnections = connections;
  // without it, idle connections would keep other clients out
  server.server.on('drop', () => server.server.closeIdleConnections());
  const letBodyLast = limitBodies(server, bodyMs);
  await server.register(cookie);
  await server.register(formbody, { bodyLimit: FORM_BYTES });
  server.setErrorHandler(async (error, request, reply) => await answerProblem(needs, error, request, reply));
  server.setNotFoundHandler(async (request, reply) => await answerMissing(needs, request, reply));
  await addAssets(server);
  await addHelp(server);
  addSignInRoutes(server, needs);
  if (identityProvider) addProviderRoutes(server, needs, identityProvider);
  addAccountRoutes(server, needs);
  addDigestRoutes(server, needs);
  addUploadRoute(server, needs, letBodyLast);
  for (const page of pages) addPage(server, needs, page);
  for (const action of actions) addAction(server, needs, action);
  await server.ready();
  return {
    listener: (request: IncomingMessage, response: ServerResponse) => server.routing(request, response),
    listen: (at) => server.listen(at),
    close: () => server.close(),
  };
}
