import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listeningPort } from './listening-port.ts';
import { makeCertificate } from './private-ca.ts';

/**
 * The content of a path: a text, or so many zero bytes. `drip`: a byte now and then, without end; `reset`: the end of
 * the connection; `silence`: no answer.
 */
export type Page = string | { status: number; location?: string } | { bytes: number };

/** By host and path: `mta-sts.example.com/.well-known/mta-sts.txt`. */
export type Pages = { [place: string]: Page };

/** Hosts on loopback, all at one port, with a certificate of this test's own authority. */
export interface HttpsServer extends AsyncDisposable {
  port: number;
  /** The authority, as PEM. */
  ca: string;
  /** The certificate of the hosts, as PEM. */
  certificate: string;
  readonly pages: Pages;
  /** `host/path` of all requests, in order. */
  readonly seen: string[];
}

/** Its certificate is for these hosts. */
export async function httpsServer(hosts: readonly string[], pages: Pages): Promise<HttpsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-https-'));
  const made = await makeCertificate(
    folder,
    hosts.map((host) => `DNS:${host}`),
  );
  const certificate = readFileSync(made.certificate, 'utf8');
  const seen: string[] = [];
  const server = createServer({ key: readFileSync(made.key), cert: certificate }, ({ headers, url }, response) => {
    const place = `${String(headers.host).replace(/:\d+$/, '')}${url}`;
    seen.push(place);
    answer(pages[place] ?? { status: 404 }, response);
  });
  rmSync(folder, { recursive: true, force: true });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: listeningPort(server),
    ca: made.ca,
    certificate,
    pages,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(page: Page, response: ServerResponse): void {
  const plain = { 'content-type': 'text/plain' };
  if (page === 'silence') return;
  if (page === 'reset') return void response.destroy();
  if (page === 'drip') {
    response.writeHead(200, plain);
    const drip = setInterval(() => response.write('x'), 50);
    return void response.on('close', () => clearInterval(drip));
  }
  if (typeof page === 'string') return void response.writeHead(200, plain).end(page);
  if ('bytes' in page) return void response.writeHead(200, plain).end('x'.repeat(page.bytes));
  response.writeHead(page.status, page.location === undefined ? plain : { ...plain, location: page.location });
  response.end('a secret');
}
