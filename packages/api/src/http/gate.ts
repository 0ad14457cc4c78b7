import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Observer } from '../observe.ts';
import { refusalOfClientError, refuseMethod, sendRefusal, writeRefusal } from './raw-answer.ts';
import { pathOf } from './target.ts';

const REQUEST_MS = 15_000;
const HEADERS_MS = 10_000;
const IDLE_MS = 72_000;
/** Without a byte either way while a request is under way. */
const SILENCE_MS = 20_000;
const REQUESTS_A_CONNECTION = 1_000;
/** At a time, of all clients: each takes a file descriptor and some memory, before its key is known. */
const CONNECTIONS = 1_000;
/** How often headers and requests that are late are looked for. */
const CHECK_MS = 5_000;
/** A request line, whatever its method. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]\r?\n/;

export interface GateOptions {
  isKnown: (path: string) => boolean;
  observe: Observer;
  /** Open at a time; 1,000 unless told. */
  connections?: number | undefined;
}

/**
 * The server in front of the router: every method but GET is answered here, 405 on a known path and 404 elsewhere,
 * before a body is looked at. A connection beyond the bound is closed, and so are then all that are idle: whoever only
 * holds connections keeps nobody out.
 */
export function openGate(
  listener: RequestListener,
  { isKnown, observe, connections = CONNECTIONS }: GateOptions,
): Server {
  const serve: RequestListener = (request, response) => {
    if (request.method === 'GET') return listener(request, response);
    const refusal = refuseMethod(isKnown(pathOf(request.url ?? '')));
    const requestId = sendRefusal(request, response, refusal);
    observe({ requestId, method: request.method ?? '', status: refusal.status });
  };
  const server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: HEADERS_MS,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    serve,
  );
  server.setTimeout(SILENCE_MS);
  server.maxRequestsPerSocket = REQUESTS_A_CONNECTION;
  server.maxConnections = connections;
  server.on('drop', () => server.closeIdleConnections());
  server.on('checkExpectation', serve);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    writeRefusal(socket, refuseMethod(isKnown(pathOf(request.url ?? ''))));
  });
  return server;
}

interface ClientError extends Error {
  code?: string;
  /** What came, as Node hands it out: a Buffer. */
  rawPacket?: unknown;
}

/**
 * Bytes that Node could not read as a request. A method that it has never heard of is still only a method other than
 * GET.
 */
export function answerClientError(isKnown: GateOptions['isKnown']): (error: ClientError, socket: Socket) => void {
  return ({ code, rawPacket }, socket) => {
    if (code === 'ECONNRESET' || socket.destroyed) return;
    const packet = code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
    const target = REQUEST_LINE.exec(packet)?.[2];
    writeRefusal(socket, target === undefined ? refusalOfClientError(code) : refuseMethod(isKnown(pathOf(target))));
  };
}
