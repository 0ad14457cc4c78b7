import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addUser, createLink, createOrganization, ensurePerson } from '@dmarc-ledger/ledger';
import { openReads, webRole } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { idText, newId } from '@dmarc-ledger/vocabulary';
import { makeWeb, type Web, type WebOptions } from '@dmarc-ledger/web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BODY_MS = 1_000;
const CONNECTIONS = 5;
const SILENCE_MS = 1_000;
const ANSWER_MS = 2_500;

let database: ClonedDatabase;
let ingester: Server;
let ingestUrl: string;
let web: Web;
let origin: string;
let orgId: string;
let cookie: string;
beforeAll(async () => {
  database = await cloneDatabase();
  orgId = (await createOrganization(database.db, { name: 'Example Ltd' })).id;
  ingester = createServer((request, response) => {
    if (request.url?.endsWith('/settings')) setTimeout(() => response.end('{"messages":3}'), ANSWER_MS);
    else request.resume().once('end', () => response.writeHead(202).end('{}'));
  });
  ingester.listen(0, '127.0.0.1');
  await once(ingester, 'listening');
  ingestUrl = `http://127.0.0.1:${(ingester.address() as AddressInfo).port}`;
  web = await openWeb({ ingestUrl, bodyMs: BODY_MS });
  origin = await web.listen({ host: '127.0.0.1', port: 0 });
  cookie = await signIn();
});
afterAll(async () => {
  await web.close();
  ingester.close();
  await database[Symbol.asyncDispose]();
});

async function openWeb(options: Partial<WebOptions>): Promise<Web> {
  const reads = openReads(database.url, { role: webRole });
  return await makeWeb({ reads, heavyReads: reads, onFault: () => undefined, onSignIn: () => undefined, ...options });
}

async function open(to = origin): Promise<Socket> {
  const socket = connect(Number(new URL(to).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Resolves once a connection has ended, also with a reset. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.resume().once('close', resolve));
}

const headOf = (line: string, headers: { [name: string]: string }) =>
  [line, ...Object.entries({ Host: new URL(origin).host, ...headers }).map(([name, value]) => `${name}: ${value}`)]
    .join('\r\n')
    .concat('\r\n\r\n');

/** Sends a byte now and then. Returns what was answered, and whether the server ended the connection meanwhile. */
async function trickle(socket: Socket, bytes: number): Promise<{ answer: string; isEnded: boolean }> {
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  for (let sent = 0; sent < bytes && !socket.closed; sent += 1) {
    socket.write('a');
    await sleep(100);
  }
  return { answer, isEnded: socket.closed };
}

it('ends a connection whose form does not arrive in time', async () => {
  const socket = await open();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '60000', Origin: origin };
  socket.write(headOf('POST /sign-in HTTP/1.1', type));
  expect(await trickle(socket, 80)).toEqual({ answer: '', isEnded: true });
});

it('ends a connection whose request goes on long after its answer', async () => {
  const socket = await open();
  socket.write(headOf('GET /sign-in HTTP/1.1', { 'Content-Length': '60000' }));
  const { answer, isEnded } = await trickle(socket, 80);
  expect(answer).toContain('HTTP/1.1 200');
  expect(isEnded).toBe(true);
});

it('lets the files of a member take longer than other forms', async () => {
  const socket = await open();
  const bytes = 25;
  socket.write(
    headOf(`POST /settings/ingest/upload?org=${idText(orgId)} HTTP/1.1`, {
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': String(bytes),
      Origin: origin,
      Cookie: cookie,
    }),
  );
  expect((await trickle(socket, bytes)).isEnded).toBe(false);
  while (!socket.readableEnded && socket.bytesRead === 0) await sleep(20);
  socket.destroy();
});

describe('a server that ends silent connections', () => {
  let silent: Web;
  beforeAll(async () => (silent = await openWeb({ ingestUrl, silenceMs: SILENCE_MS })));
  afterAll(async () => await silent.close());

  it.each(['on its own port', 'on the port of the API'])('lets a mail server take longer, %s', async (where) => {
    await using stack = new AsyncDisposableStack();
    let at: string;
    if (where === 'on its own port') at = await silent.listen({ host: '127.0.0.1', port: 0 });
    else {
      const shared = createServer(silent.listener).setTimeout(SILENCE_MS).listen(0, '127.0.0.1');
      stack.defer(() => void shared.close());
      await once(shared, 'listening');
      at = `http://127.0.0.1:${(shared.address() as AddressInfo).port}`;
    }
    const response = await fetch(`${at}/settings/mailboxes/${idText(newId())}/test?org=${idText(orgId)}`, {
      method: 'POST',
      headers: { cookie, origin: at },
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBe('/settings/ingest?mailbox=3');
    const begun = performance.now();
    await closed(await open(at));
    expect(performance.now() - begun).toBeLessThan(8 * SILENCE_MS);
  });
});

it('closes a connection beyond the most that may be open, and all idle ones with it', async () => {
  const few = await openWeb({ connections: CONNECTIONS });
  const at = await few.listen({ host: '127.0.0.1', port: 0 });
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, async () => await open(at)));
  for (const socket of idle) socket.write(headOf('GET /sign-in HTTP/1.1', {}));
  await Promise.all(idle.map(async (socket) => await once(socket, 'data')));
  const begun = performance.now();
  await Promise.all([...idle, await open(at)].map(closed));
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect((await fetch(`${at}/sign-in`)).status).toBe(200);
  await few.close();
});

async function signIn(): Promise<string> {
  const email = 'owner@example.com';
  await addUser(database.db, orgId, { email, role: 'owner' });
  const { token } = await createLink(database.db, (await ensurePerson(database.db, email)).id, 'sign_in');
  const { headers } = await fetch(`${origin}/sign-in/link`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  });
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
