import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { givenOrganization, serveApi } from './served.ts';

it('a request that has begun when the server is stopped is answered, and its connection closed then', async () => {
  await using served = await serveApi();
  const { key } = await givenOrganization(served, 'Late');
  const begun = `GET /v1/enums HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.write(`${begun}\r\n${begun}`);
  await once(socket, 'readable'); // the server has read the second request too
  const closed = served.close();
  socket.write('\r\n');
  const [first, second] = (await text(socket)).split(/(?<=.)(?=HTTP\/1\.1 )/s);
  expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(second).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(second).toMatch(/\r\nconnection: close\r\n/i);
  await closed;
});
