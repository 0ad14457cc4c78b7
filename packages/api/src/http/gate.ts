import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Observer } from '../observe.ts';
import { refusalOfClientError, refuseMethod, sendRefusal, writeRefusal } from './raw-answer.ts';
import { pathOf } from './target.ts';

const REQUEST_MS = 15_000;
/** Beside the API, forms with files arrive on the same port. */
const UPLOAD_MS = 900_000;
const HEADERS_MS = 10_000;
const IDLE_MS = 72_000;
/** The longest time without a byte in either direction during a request. */
const SILENCE_MS = 20_000;
const REQUESTS_A_CONNECTION = 1_000;
/** Open connections of all clients: each takes a file descriptor and memory before its key is known. */
const CONNECTIONS = 1_000;
/** The interval of checks for late headers and requests. */
const CHECK_MS = 5_000;
/** A request line with any method. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]\r?\n/;

export interface GateOptions {
  isKnown: (path: string) => boolean;
  observe: Observer;
  /** Answers requests outside the API, with any method; unset: the API has the port to itself. */
  beside?: RequestListener | undefined;
  /** The most open connections. Default 1,000. */
  connections?: number | undefined;
}

/**
 * Creates the server in front of the router: every method but GET is answered here, 405 on a known path and 404
 * elsewhere, before a body is read. A connection beyond the limit is closed together with all idle ones, so that idle
 * connections cannot keep other clients out.
 */
export function openGate(
  listener: RequestListener,
  { isKnown, observe, beside, connections = CONNECTIONS }: GateOptions,
): Server {
  const serve: RequestListener = (request, response) => {
    if (lacksHost(request)) {
      const refusal = refusalOfClientError(undefined);
      const requestId = sendRefusal(request, response, refusal);
      return observe({ requestId, method: request.method ?? '', status: refusal.status });
    }
    if (beside && !isOfApi(pathOf(request.url ?? ''))) return beside(request, response);
    if (request.method === 'GET') return listener(request, response);
    const refusal = refuseMethod(isKnown(pathOf(request.url ?? '')));
    const requestId = sendRefusal(request, response, refusal);
    observe({ requestId, method: request.method ?? '', status: refusal.status });
  };
  const server = createServer(
    {
      requestTimeout: beside ? UPLOAD_MS : REQUEST_MS,
      headersTimeout: HEADERS_MS,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false, // Node would refuse it without a body
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

/** Such a request is refused, in HTTP/1.1. (RFC 9112, 3.2) */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

/** The paths that the API answers for, known or not; all others are those of pages. */
const OF_API = /^\/(?:v1|ext|docs)(?:\/|$)/;

function isOfApi(path: string): boolean {
  return OF_API.test(path);
}

interface ClientError extends Error {
  code?: string;
  /** The bytes received; Node provides a Buffer. */
  rawPacket?: unknown;
}

/**
 * Answers bytes that Node could not parse as a request. An unknown method is answered like any method other than GET.
 */
export function answerClientError(isKnown: GateOptions['isKnown']): (error: ClientError, socket: Socket) => void {
  return ({ code, rawPacket }, socket) => {
    if (code === 'ECONNRESET' || socket.destroyed) return;
    const packet = code === 'HPE_INVALID_METHOD' && Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
    const target = REQUEST_LINE.exec(packet)?.[2];
    writeRefusal(socket, target === undefined ? refusalOfClientError(code) : refuseMethod(isKnown(pathOf(target))));
  };
}
