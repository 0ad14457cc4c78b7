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
