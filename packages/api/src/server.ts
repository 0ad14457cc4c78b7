import type { IncomingMessage, Server } from 'node:http';
import type { Db } from '@dmarc-ledger/db';
import fastify, { type FastifyReply } from 'fastify';
import { KeyCache } from './auth/key-cache.ts';
import { CallLog } from './call-log.ts';
import type { Answer } from './http/answer.ts';
import { answerClientError, openGate } from './http/gate.ts';
import { everyAnswer, requestIdOf } from './http/headers.ts';
import { pathTable, type Found } from './http/path-table.ts';
import { notFound } from './http/problem.ts';
import { pathOf } from './http/target.ts';
import type { Observer } from './observe.ts';
import { placesOf, type Place } from './places.ts';
import { refuse } from './refuse.ts';
import { serveRoute } from './serve-route.ts';
import { routes } from './v1/index.ts';

export interface ApiOptions {
  db: Db;
  /** Told of every request when it has been answered. */
  observe?: Observer;
  now?: () => Date;
}

export interface Api {
  listen(at: { host: string; port: number }): Promise<string>;
  /** To be called when keys, owners, plans or organizations have changed. */
  forgetKeys(): void;
  close(): Promise<void>;
}

/** Where a request is sent whose path is not in the table. */
const NOWHERE = '/-';

/** The API, on no port yet. The table of places decides what stands where; Fastify is asked for the place that it found. */
export function makeApi({ db, observe = () => {}, now = () => new Date() }: ApiOptions): Api {
  const keys = new KeyCache(db);
  const places = placesOf(routes);
  const find = pathTable(places);
  const isKnown = (path: string) => find(path) !== undefined;
  const found = new WeakMap<IncomingMessage, Found<Place>>();
  const calls = new CallLog();

  const server = fastify<Server>({
    serverFactory: (listener) => openGate(listener, { isKnown, observe }),
    clientErrorHandler: answerClientError(isKnown),
    rewriteUrl(request) {
      const at = find(pathOf(request.url ?? ''));
      if (at) found.set(request, at);
      return at?.place.path ?? NOWHERE;
    },
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    exposeHeadRoutes: false,
  });
  for (const place of places) {
    server.get(place.path, async (request, reply) => {
      if ('page' in place) return await send(reply, { status: 200, ...place.page });
      const asked = {
        url: request.originalUrl,
        rawHeaders: request.raw.rawHeaders,
        params: found.get(request.raw)?.params ?? {},
      };
      return await send(reply, await serveRoute({ db, keys, now }, place.route, asked, calls.of(request)));
    });
  }
  server.setNotFoundHandler(async (request, reply) => await send(reply, refuse(notFound(), calls.of(request))));
  server.setErrorHandler(async (error, request, reply) => await send(reply, refuse(error, calls.of(request))));
  server.addHook('onResponse', async (request, reply) => observe(calls.answered(request, reply)));

  return {
    listen: (at) => server.listen(at),
    forgetKeys: () => keys.forget(),
    close: () => server.close(),
  };
}

async function send(reply: FastifyReply, { status, headers, body }: Answer): Promise<FastifyReply> {
  return await reply
    .code(status)
    .headers({ ...everyAnswer, 'x-request-id': reply.request.id, ...headers })
    .send(body);
}
