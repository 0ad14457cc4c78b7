import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpProblem } from '@dmarc-ledger/vocabulary';
import { everyAnswer, JSON_TYPE, requestIdOf, type Headers } from './headers.ts';
import { notFound, unreadable } from './problem.ts';

/** A response to a request that does not reach the router, or that cannot be parsed. */
export interface Refusal {
  status: number;
  headers: Headers;
  body: string;
}

/** The path is known and the method is not GET: no body, and so no content type. */
const methodNotAllowed: Refusal = { status: 405, headers: { allow: 'GET' }, body: '' };

/** Returns the response to a method other than GET. */
export function refuseMethod(isKnownPath: boolean): Refusal {
  return isKnownPath ? methodNotAllowed : refusalOf(notFound());
}

export function refusalOf({ status, headers, body }: HttpProblem): Refusal {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Refusal,
): string {
  const requestId = requestIdOf(request.headers['x-request-id']);
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { ...everyAnswer, ...headers, 'x-request-id': requestId, 'content-length': length });
  response.end(request.method === 'HEAD' ? undefined : body);
  return requestId;
}

const reasons: { [status: number]: string } = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Writes the response to a raw connection and closes it: the bytes received are not a request that the server can
 * answer otherwise.
 */
export function writeRefusal(socket: Duplex, { status, headers, body }: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const requestId = requestIdOf(undefined);
  const all = {
    ...everyAnswer,
    ...headers,
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

/** Returns the response to bytes that are not an HTTP request. */
export function refusalOfClientError(code: string | undefined): Refusal {
  return refusalOf(unreadable(code));
}
