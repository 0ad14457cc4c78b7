import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'node:tls';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { expect, it } from 'vitest';
import { putAside } from '../src/mailbox/act.ts';
import { connect, openFolder } from '../src/mailbox/connect.ts';
import type { MailboxSettings } from '../src/mailbox/mailbox.ts';
import { listAbove, stillThere } from '../src/mailbox/scan.ts';

/** A session with a server that sends these lines before it completes a MOVE, SEARCH or NOOP. */
async function sessionWith(...lines: string[]) {
  const folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-sets-'));
  const { ca, certificate, key } = await makeCertificate(folder.path);
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE] ready\r\n');
    const commands = createInterface({ input: socket.on('error', () => undefined) });
    commands.on('line', (line) => {
      const [tag, ...command] = line.split(' ');
      if (command[0] === 'SELECT') socket.write('* 16777216 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n');
      if (/^(NOOP|FETCH|UID MOVE|UID SEARCH)/.test(command.join(' ')))
        socket.write(lines.map((each) => `${each}\r\n`).join(''));
      socket.write(`${tag} OK done\r\n`);
    });
    commands.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const settings: MailboxSettings = {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    tls: 'implicit',
    ca,
    username: 'user',
    folder: 'INBOX',
    afterIntake: 'move',
    processedFolder: 'Processed',
    refusedFolder: 'Refused',
  };
  const client = await connect(settings, { password: 'secret' });
  await openFolder(client, 'INBOX');
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const place = { folder: 'Processed', keyword: '' };

it.each([
  ['* VANISHED 1:16777216'],
  ['* VANISHED 1:1e7'],
  ['* VANISHED "1:1677\\7216"'],
  ['* VANISHED {10}\r\n1:16777216'],
  ['* VANISHED 9:1,16777216:1'],
])('a mail server stops no other mailbox with a line that names millions of messages: %s', async (line) => {
  await using session = await sessionWith(line);
  const begin = performance.now();
  await session.client.noop().catch(() => undefined);
  await expect.poll(() => session.client.usable).toBe(false);
  expect(performance.now() - begin).toBeLessThan(1_000);
});

it('nor with the places of millions of mails that it was not asked to move', async () => {
  await using session = await sessionWith('* OK [COPYUID 8 1:16000000 1:16000000] moved');
  await expect(putAside(session.client, 'move', [1], place)).rejects.toMatchObject({ code: 'command_failed' });
});

it('nor by finding millions of mails that it was not asked for', async () => {
  await using session = await sessionWith('* ESEARCH (TAG "A1") UID ALL 1:16777216');
  await expect(stillThere(session.client, [1])).rejects.toMatchObject({ code: 'command_failed' });
});

it.each([
  ['listed messages', 'FETCH', '* 1 FETCH (UID 1 RFC822.SIZE 10)'],
  ['found messages', 'UID SEARCH', `* SEARCH ${'16777216 '.repeat(100)}`],
])('nor with %s that do not end', async (_, command, line) => {
  await using session = await sessionWith(`${line}\r\n`.repeat(6_000_000 / line.length));
  const asked = command === 'FETCH' ? listAbove(session.client, 0, 1_000) : stillThere(session.client, [1]);
  await expect(asked).rejects.toMatchObject({ retryable: true });
  await expect.poll(() => session.client.usable).toBe(false);
});

it('and a mail server may name in one line all the mails that were moved', async () => {
  await using session = await sessionWith('* OK [COPYUID 8 101:300 1:200] moved', '* VANISHED 101:300');
  const uids = Array.from({ length: 200 }, (_, i) => 101 + i);
  expect((await putAside(session.client, 'move', uids, place)).get('moved')).toEqual(uids);
});
