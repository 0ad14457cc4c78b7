import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotServer, type DovecotServer } from '@dmarc-ledger/testkit';
import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import { expect, it, vi } from 'vitest';

const mails = (count: number) =>
  Array.from({ length: count }, (_, i) => Buffer.from(`Subject: ${i}\r\n\r\nbody ${i}\r\n`));

/** A session of its own; closed by the server's end at the latest. */
async function login(server: DovecotServer, user: string, options: Partial<ImapFlowOptions> = {}): Promise<ImapFlow> {
  const { host, tlsPort: port, ca, password: pass } = server;
  const client = new ImapFlow({
    host,
    port,
    secure: true,
    tls: { ca },
    auth: { user, pass },
    logger: false,
    ...options,
  });
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    client.close();
    throw error;
  });
  return client;
}

it('serves what real servers serve: TLS, IDLE, MOVE, UIDPLUS, CONDSTORE', async () => {
  await using server = await dovecotServer({ record: true });
  const user = server.user();
  await server.deliver(user, 'INBOX', mails(2));
  await server.createFolder(user, 'Processed');
  const client = await login(server, user);
  const offered = ['IDLE', 'MOVE', 'UIDPLUS', 'CONDSTORE'].filter((name) => client.capabilities.has(name));
  expect(offered).toEqual(['IDLE', 'MOVE', 'UIDPLUS', 'CONDSTORE']);
  await client.mailboxOpen('INBOX');
  const moved = await client.messageMove('1', 'Processed', { uid: true });
  expect(moved).toMatchObject({ uidMap: new Map([[1, 1]]) });
  void client.idle();
  const heard = once(client, 'exists');
  await server.deliver(user, 'INBOX', mails(1));
  expect((await heard)[0]).toMatchObject({ path: 'INBOX', count: 2 });
  await client.logout();
  expect((await server.messages(user, 'Processed')).map(({ source }) => source)).toEqual([mails(1)[0]]);
  expect(server.commands()).toEqual(expect.arrayContaining(['IDLE', 'UID MOVE 1 Processed']));
});

it.each([
  ['MOVE', { move: false }, 'UID COPY 1 Processed', ['UID EXPUNGE 1']],
  ['MOVE and UIDPLUS', { move: false, uidplus: false }, 'UID COPY 1 Processed', ['EXPUNGE']],
  ['IDLE', { idle: false }, 'UID MOVE 1 Processed', []],
])('does without %s when configured so', async (_, options, command, expunge) => {
  await using server = await dovecotServer({ ...options, record: true });
  const user = server.user();
  await server.deliver(user, 'INBOX', mails(1));
  await server.createFolder(user, 'Processed');
  const client = await login(server, user);
  for (const name of ['MOVE', 'IDLE', 'UIDPLUS'] as const)
    expect(client.capabilities.has(name)).toBe(!Object.hasOwn(options, name.toLowerCase()));
  await client.mailboxOpen('INBOX');
  void client.idle();
  await sleep(100);
  await client.messageMove('1', 'Processed', { uid: true });
  await client.logout();
  const asked = server.commands();
  expect(asked.includes('IDLE')).toBe(client.capabilities.has('IDLE'));
  expect(asked).toContain(command);
  expect(asked.filter((line) => line.includes('EXPUNGE'))).toEqual(expunge);
});

it('keeps in order what is delivered, past IMAP and by it', async () => {
  await using server = await dovecotServer();
  const user = server.user();
  await server.deliver(user, 'Archive/2026', mails(1_200));
  await server.append(user, 'Archive/2026', mails(3));
  const stored = await server.messages(user, 'Archive/2026');
  expect(stored.map(({ uid }) => uid)).toEqual(Array.from({ length: 1_203 }, (_, i) => i + 1));
  expect(stored.map(({ source }) => source)).toEqual([...mails(1_200), ...mails(3)]);
  expect(await server.messages(server.user(), 'INBOX')).toEqual([]);
});

it('gives a folder another UIDVALIDITY when it is made anew, and the INBOX on request', async () => {
  await using server = await dovecotServer();
  const user = server.user();
  const validity = async (folder: string) => {
    const client = await login(server, user);
    const { uidValidity } = await client.mailboxOpen(folder);
    await client.logout();
    return uidValidity;
  };
  await server.createFolder(user, 'Reports');
  await server.deliver(user, 'INBOX', mails(2));
  const before = [await validity('Reports'), await validity('INBOX')];
  await server.deleteFolder(user, 'Reports');
  await server.createFolder(user, 'Reports');
  server.renumber(user, 'INBOX');
  const after = [await validity('Reports'), await validity('INBOX')];
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(await server.messages(user, 'INBOX')).toHaveLength(2);
});

it('can be stopped, killed and started again where it was, and loses no mail', async () => {
  await using server = await dovecotServer();
  const user = server.user();
  await server.deliver(user, 'INBOX', mails(1));
  for (const end of [() => server.stop(), () => server.kill()]) {
    const closed = once(await login(server, user), 'close');
    await end();
    await closed;
    // a client that connects while it ends may still be accepted, and disconnected
    await vi.waitFor(() => expect(login(server, user)).rejects.toThrow(/ECONNREFUSED/), { timeout: 30_000 });
    await server.restart();
    expect(await server.messages(user, 'INBOX')).toHaveLength(1);
  }
});

it('is not trusted without its authority, refuses a wrong password, and offers STARTTLS unless disabled', async () => {
  await using server = await dovecotServer();
  await using bare = await dovecotServer({ tls: false });
  await expect(login(server, 'a', { tls: {} })).rejects.toThrow(/certificate/);
  await expect(login(server, 'a', { auth: { user: 'a', pass: 'wrong' } })).rejects.toMatchObject({
    authenticationFailed: true,
  });
  const starting = { secure: false, doSTARTTLS: true };
  expect((await login(server, 'a', { ...starting, port: server.port })).secureConnection).toBe(true);
  await expect(login(bare, 'a', { ...starting, port: bare.port })).rejects.toThrow(/STARTTLS/);
});
