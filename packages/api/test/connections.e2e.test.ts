import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

const CONNECTIONS = 4;

let served: Served;
let authorization: string;
const held: Socket[] = [];

beforeAll(async () => {
  served = await serveApi({ connections: CONNECTIONS });
  authorization = `Bearer ${(await givenOrganization(served, 'Few')).key}`;
});
afterAll(async () => {
  for (const socket of held) socket.destroy();
  await served[Symbol.asyncDispose]();
});

/** A connection, and what was received until it ended, or a response had arrived. */
async function ask(): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  held.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET /v1/enums HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`);
  let answer = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    answer += String(piece);
    if (answer.includes('\r\n\r\n')) break;
  }
  return { socket, answer };
}

it('idle connections keep no client out: beyond the limit they are closed', async () => {
  const idle = [];
  for (let i = 0; i < CONNECTIONS; i += 1) idle.push(await ask());
  expect(idle.map(({ answer }) => answer.slice(0, 15))).toEqual(idle.map(() => 'HTTP/1.1 200 OK'));
  const closed = Promise.all(idle.map(({ socket }) => once(socket.resume(), 'close')));
  expect((await ask()).answer).toBe('');
  await closed;
  expect((await ask()).answer).toMatch(/^HTTP\/1\.1 200 /);
});
