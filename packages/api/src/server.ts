import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Db, Reads } from '@dmarc-ledger/schema';
import type { Limiter } from '@dmarc-ledger/limits';
import fastify, { type FastifyReply } from 'fastify';
import { answerRequest } from './answer-request.ts';
import { KeyCache } from './auth/key-cache.ts';
import { CallLog } from './call-log.ts';
import { responseCaches, type Caching } from './response-caches.ts';
import type { Route } from './define-route.ts';
import type { Answer } from './http/answer.ts';
import { ext } from './ext/index.ts';
import { answerClientError, openGate } from './http/gate.ts';
import { everyAnswer, requestIdOf } from './http/headers.ts';
import { originOf } from './docs/origin.ts';
import { pathTable, type Found } from './http/path-table.ts';
import { notFound } from './http/problem.ts';
import { pathOf } from './http/target.ts';
import { noLimits } from './metering/no-limits.ts';
import { UsageWriter } from './metering/usage-writer.ts';
import type { Observer } from './observe.ts';
import { placesOf, type Place } from './places.ts';
import { refuse } from './refuse.ts';
import { routes as v1 } from './v1/index.ts';
import { aboutV1 } from './v1/table.ts';

export interface ApiOptions {
  /** For keys, limits and usage: used before the organization is known, and for writes. */
  db: Db;
  /** For reading an organization's data. */
  reads: Reads;
  /** The same for heavy work, so that other requests do not wait for a connection. Unset: shares `reads`. */
  heavyReads?: Reads;
  /** Decides which requests are admitted; closed by its owner after the API. Unset: no abuse limits. */
  limiter?: Limiter;
  /** Called when usage could not be stored; the write is retried. */
  onUsageFault?: (error: unknown) => void;
  /** How long expensive responses are cached. */
  caching?: Caching;
  /** Called for every answered request. */
  observe?: Observer;
  now?: () => Date;
  /** The most open connections. Unset: 1,000. */
  connections?: number;
  /** Answers requests for other paths than the API's, such as the pages on the same port. */
  beside?: RequestListener | undefined;
  /** The routes below `/v1`. Unset: those of version 1. */
  routes?: readonly Route[];
}

export interface Api {
  listen(at: { host: string; port: number }): Promise<string>;
  /** To be called when keys, owners, plans or organizations have changed. */
  forgetKeys(): void;
  /** Answers the requests in progress, and stores their usage. */
  close(): Promise<void>;
}

/** The route for requests whose path is not in the table. */
const NOWHERE = '/-';

/**
 * Creates the API without opening a port. The table of places matches paths; Fastify is called with the place found.
 */
export function makeApi(options: ApiOptions): Api {
  const { db, reads, onUsageFault = () => {}, observe = () => {}, now = () => new Date() } = options;
  const limiter = options.limiter ?? noLimits(db, now);
  const usage = new UsageWriter(db, limiter, onUsageFault);
  const keys = new KeyCache(db);
  const caches = responseCaches(options.caching);
  const needs = { reads, heavyReads: options.heavyReads ?? reads, keys, limiter, usage, caches, now };
  const places = placesOf([{ ...aboutV1, routes: options.routes ?? v1 }, ext]);
  const find = pathTable(places);
  const isKnown = (path: string) => find(path) !== undefined;
  const found = new WeakMap<IncomingMessage, Found<Place>>();
  const calls = new CallLog();

  const server = fastify<Server>({
    serverFactory: (listener) =>
      openGate(listener, { isKnown, observe, beside: options.beside, connections: options.connections }),
    clientErrorHandler: answerClientError(isKnown),
    rewriteUrl(request) {
      const at = find(pathOf(request.url ?? ''));
      if (at) found.set(request, at);
      return at?.place.path ?? NOWHERE;
    },
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    exposeHeadRoutes: false,
    return503OnClosing: false, // what arrives while it ends is answered, and then its connection closed
  });
  for (const place of places) {
    server.get(place.path, async (request, reply) => {
      if ('page' in place) {
        const { headers, body } = place.page;
        return await send(reply, { status: 200, headers, body: body(originOf(request.headers)) });
      }
      const asked = {
        url: request.originalUrl,
        rawHeaders: request.raw.rawHeaders,
        params: found.get(request.raw)?.params ?? {},
      };
      return await send(reply, await answerRequest(needs, place.route, asked, calls.of(request)));
    });
  }
  server.setNotFoundHandler(async (request, reply) => await send(reply, refuse(notFound(), calls.of(request))));
  server.setErrorHandler(async (error, request, reply) => await send(reply, refuse(error, calls.of(request))));
  server.addHook('onResponse', async (request, reply) => observe(calls.answered(request, reply)));

  return {
    listen: (at) => server.listen(at),
    forgetKeys: () => keys.forget(),
    async close() {
      await server.close();
      await usage.close();
    },
  };
}

async function send(reply: FastifyReply, { status, headers, body }: Answer): Promise<FastifyReply> {
  return await reply
    .code(status)
    .headers({ ...everyAnswer, 'x-request-id': reply.request.id, ...headers })
    .send(body);
}
