import { once } from 'node:events';
import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { openSocket } from '../src/mail/open-socket.ts';

const lookup: LookupFunction = (_host, _options, done) =>
  done(null, [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);
const { signal } = new AbortController();

it('a mail server one of whose addresses is away is connected to at another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = await openSocket({ host: 'mail.example', port, lookup }, 5_000, signal);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
  server.close();
});

it('a name that is never resolved is given up in time', async () => {
  const never: LookupFunction = () => undefined;
  const opening = openSocket({ host: 'mail.example', port: 25, lookup: never }, 50, signal);
  await expect(opening).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});
