import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { McpServer } from '@modelcontextprotocol/server';
import { listenHttp } from '@dmarc-ledger/mcp';
import { afterEach, expect, it } from 'vitest';

const CONNECTIONS = 3;
const servers = { make: () => new McpServer({ name: 'test', version: '1' }) };
const at = { host: '127.0.0.1', port: 0 };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => await Promise.all(opened.splice(0).map((server) => server.close())));

async function listen(limits: Parameters<typeof listenHttp>[2]): Promise<URL> {
  const server = await listenHttp(servers, at, limits);
  opened.push(server);
  return new URL(server.url);
}

async function open({ port }: URL, text: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.resume().once('close', resolve));
}

it('ends a request whose headers, or whose body, do not arrive in time', async () => {
  const url = await listen({ headersMs: 300, requestMs: 600, checkMs: 100 });
  const begun = performance.now();
  const head = 'POST /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Length: 100\r\n';
  await Promise.all([head, `${head}\r\n{`].map(async (text) => await closed(await open(url, text))));
  expect(performance.now() - begun).toBeLessThan(5_000);
});

it('closes idle connections for a client beyond the most', async () => {
  const url = await listen({ connections: CONNECTIONS });
  const request = 'GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n';
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, async () => await open(url, request)));
  await Promise.all(idle.map(async (socket) => await once(socket, 'data')));
  const begun = performance.now();
  await Promise.all([await open(url, ''), ...idle].map(closed));
  expect(performance.now() - begun).toBeLessThan(2_500); // Node itself waits five seconds
  expect((await fetch(url)).status).toBe(401);
});
