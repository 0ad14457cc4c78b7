import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How long the body of a request may take to arrive, and what is left of one after its answer. */
const BODY_MS = 15_000;

/** Lets the body of a request take as long as its route allows, until it is answered. */
export type LetBodyLast = (request: IncomingMessage) => void;

/**
 * Ends the connection of a request whose body does not arrive in time. The time limit of the server itself is that of
 * uploads; without this one, a client could hold a connection for as long with one byte now and then.
 */
export function limitBodies(server: FastifyInstance, bodyMs = BODY_MS): LetBodyLast {
  const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();
  const letLast = (request: IncomingMessage) => clearTimeout(timers.get(request));
  const limit = (request: IncomingMessage) => {
    letLast(request);
    const timer = setTimeout(() => {
      if (!request.complete) request.destroy();
    }, bodyMs);
    timers.set(request, timer.unref());
  };
  server.addHook('onRequest', async ({ raw }) => {
    if (!hasBody(raw)) return;
    limit(raw);
    raw.once('close', () => letLast(raw));
  });
  server.addHook('onResponse', async ({ raw }) => {
    if (hasBody(raw) && !raw.complete) limit(raw);
  });
  return letLast;
}

/** Whether bytes follow the headers; their end is not known yet when a request begins. (RFC 9112, 6.3) */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
