import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@dmarc-ledger/local-postgres';
import { expect, it } from 'vitest';

it('a free port is none that the system gives to a connection, and can be opened', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

it('many that are asked for at once are free', async () => {
  const ports = new Set(await Promise.all(Array.from({ length: 20 }, freePort)));
  const servers = await Promise.all(
    [...ports].map(async (port) => {
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  expect(ports.size).toBeGreaterThan(15);
  for (const server of servers) server.close();
});
