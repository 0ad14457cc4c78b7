import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { expect, it } from 'vitest';
import { connect } from '../src/mailbox/connect.ts';
import type { MailboxSettings } from '../src/mailbox/mailbox.ts';

it('survives a connection that is reset in the moment in which the session is closed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-reset-'));
  const { ca, certificate, key } = await makeCertificate(folder.path);
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    socket.on('error', () => undefined).on('data', (line) => socket.write(`${String(line).split(' ')[0]} OK done\r\n`));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const settings: MailboxSettings = {
    host: '127.0.0.1',
    port,
    tls: 'implicit',
    ca,
    username: 'user',
    folder: 'INBOX',
    afterIntake: 'leave',
    processedFolder: 'Processed',
    refusedFolder: 'Refused',
  };
  const client = await connect(settings, { password: 'secret' });
  const socket = Reflect.get(client, 'socket') as { destroy(error: Error): void };
  const uncaught = once(process, 'uncaughtException').then(([error]) => error as Error);
  socket.destroy(new Error('read ECONNRESET'));
  client.close();
  const turns = new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(await Promise.race([uncaught, turns])).toBeUndefined();
  server.close();
});
