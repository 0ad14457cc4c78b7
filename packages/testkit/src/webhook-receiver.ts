import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { present } from '@dmarc-ledger/vocabulary';
import { faultDns, type FaultDns } from './fault-dns.ts';
import { listeningPort } from './listening-port.ts';
import { makeCertificate } from './private-ca.ts';

/** A status, with its other properties; `silence` never answers, `drip` begins an answer that does not end. */
export type HookAnswer =
  | number
  | { status: number; location?: string; retryAfter?: string; body?: string }
  | 'silence'
  | 'drip';

export interface ReceivedHook {
  path: string;
  headers: { [name: string]: string };
  body: string;
}

/** Receives webhooks at hooks.receiver.test, by HTTPS on loopback, and serves DNS for that name. */
export interface WebhookReceiver extends AsyncDisposable {
  url: (path: string) => string;
  /** The authority of its certificate, as PEM. */
  ca: string;
  dns: FaultDns;
  /** Complete requests, in order. */
  readonly received: ReceivedHook[];
  connections: () => number;
  /** The answers at a path, one after the other; the last of them again and again. Default 204. */
  readonly answers: { [path: string]: HookAnswer[] };
  /** Does not listen until it is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const HOST = 'hooks.receiver.test';

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-hooks-'));
  const made = await makeCertificate(folder, [`DNS:${HOST}`]);
  const tls = { key: readFileSync(made.key), cert: readFileSync(made.certificate) };
  rmSync(folder, { recursive: true, force: true });
  const received: ReceivedHook[] = [];
  const answers: WebhookReceiver['answers'] = {};
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const body = await text(request);
    received.push({ path, headers: request.headers as ReceivedHook['headers'], body });
    const queue = answers[path] ?? [204];
    answer(present(queue.length > 1 ? queue.shift() : queue[0]), response);
  };
  const server = createServer(tls, (request, response) => {
    take(request, response).catch(() => response.destroy()); // the client is gone
  });
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  let port = 0;
  const start = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = listeningPort(server);
  };
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  await start();
  const dns = await faultDns({
    [HOST]: ({ type }) =>
      type === 'A' ? { answers: [{ type: 'A', name: HOST, ttl: 60, data: '127.0.0.1' }] } : { answers: [] },
  });
  return {
    url: (path) => `https://${HOST}:${port}${path}`,
    ca: made.ca,
    dns,
    received,
    connections: () => connections,
    answers,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await dns[Symbol.asyncDispose]();
    },
  };
}

function answer(how: HookAnswer, response: ServerResponse): void {
  if (how === 'silence') return;
  if (how === 'drip') {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 50);
    return void response.on('close', () => clearInterval(drip));
  }
  const { status, location, retryAfter, body = '' } = typeof how === 'number' ? { status: how } : how;
  if (location !== undefined) response.setHeader('location', location);
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.writeHead(status).end(body);
}
