import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { requestToken } from '../src/mailbox/access-token.ts';

it('a token endpoint that breaks its answer off gives no token, and harms nothing else', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"access_token":', () => request.socket.resetAndDestroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = requestToken({
    tokenUrl: `http://127.0.0.1:${port}/token`,
    clientId: 'ledger',
    clientSecret: 'secret',
    grant: { type: 'client_credentials' },
    scope: null,
  });
  await expect(asked).rejects.toMatchObject({ code: 'token_unavailable' });
  server.close();
});

it.each([1e15, '1e300', Infinity])('a token that is said to last %j seconds can be kept', async (expires_in) => {
  const body = JSON.stringify({ access_token: 'token', refresh_token: 'next', expires_in }).replace('null', '1e999');
  const server = createServer((request, response) => void request.resume().on('end', () => response.end(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const issued = await requestToken({
    tokenUrl: `http://127.0.0.1:${port}/token`,
    clientId: 'ledger',
    clientSecret: 'secret',
    grant: { type: 'refresh_token', refreshToken: 'last' },
    scope: null,
  });
  expect(issued).toMatchObject({ accessToken: 'token', refreshToken: 'next' });
  expect(issued.expiresAt.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
  server.close();
});
