import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { cloneDatabase, dovecotServer, faultProxy, type FaultProxy, type Toxic } from '@dmarc-ledger/testkit';
import { ImapFlow } from 'imapflow';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A server that answers each line: BIG with 10,000 bytes, anything else with itself, and records its requests.
const asked: string[] = [];
const echo = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    asked.push(piece.toString());
    socket.write(piece.toString() === 'BIG\n' ? 'x'.repeat(10_000) : `re: ${piece.toString()}`);
  });
});
const QUIET = { quietMs: 2_000 };
let proxy: FaultProxy;

beforeAll(async () => {
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  proxy = await faultProxy((echo.address() as AddressInfo).port);
});
afterAll(async () => {
  await proxy.close();
  echo.close();
});

/** The answer to one request until the connection ends or is quiet, and how it ended; or the first so many bytes. */
async function ask(request: string, { bytes = Infinity, quietMs = 0 } = {}) {
  const socket = connect(proxy.port, '127.0.0.1').setTimeout(quietMs);
  let answer = '';
  let end = 'closed';
  socket.on('data', (piece) => {
    answer += piece.toString();
    if (answer.length >= bytes) socket.destroy();
  });
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (end = code!));
  socket.once('timeout', () => socket.destroy(void (end = 'quiet') as undefined));
  socket.write(request);
  await new Promise((resolve) => socket.once('close', resolve));
  return { answer, end };
}

it.each<[string, Toxic, string, { answer: string; end: string }]>([
  ['passes all on', {}, 'MOVE\n', { answer: 're: MOVE\n', end: 'quiet' }],
  ['refuses', { refuse: true }, 'MOVE\n', { answer: '', end: 'ECONNRESET' }],
  ['drops a request', { dropRequest: /MOVE/ }, 'MOVE\n', { answer: '', end: 'ECONNRESET' }],
  ['drops the reply after a request', { dropReplyAfter: /MOVE/ }, 'MOVE\n', { answer: '', end: 'ECONNRESET' }],
  ['drops a reply', { dropReply: /re: MO/ }, 'MOVE\n', { answer: '', end: 'ECONNRESET' }],
  ['ends after a reply', { resetAfterReply: /re: MO/ }, 'MOVE\n', { answer: 're: MO', end: 'ECONNRESET' }],
  ['cuts a reply', { cut: { afterBytes: 6 } }, 'MOVE\n', { answer: 're: MO', end: 'ECONNRESET' }],
  [
    'cuts a reply to a request',
    { cut: { afterBytes: 4, request: /MOVE/ } },
    'MOVE\n',
    { answer: 're: ', end: 'ECONNRESET' },
  ],
  ['cuts no other', { cut: { afterBytes: 4, request: /FETCH/ } }, 'MOVE\n', { answer: 're: MOVE\n', end: 'quiet' }],
])('%s', async (_, toxic, request, answered) => {
  Object.assign(proxy.toxic, toxic);
  asked.length = 0;
  expect(await ask(request, answered.end === 'quiet' ? QUIET : {})).toEqual(answered);
  expect(asked).toEqual(toxic.refuse || toxic.dropRequest ? [] : ['MOVE\n']);
  for (const name of ['refuse', 'cut'] as const) delete proxy.toxic[name];
  expect(proxy.toxic).toEqual({});
  expect((await ask('again\n', { bytes: 10 })).answer).toBe('re: again\n');
});

it('ends every connection on request', async () => {
  Object.assign(proxy.toxic, { dropReply: /re/, always: true });
  const before = proxy.ended();
  await ask('one\n');
  await ask('two\n');
  expect(proxy.ended()).toBe(before + 2);
  for (const name of ['dropReply', 'always'] as const) delete proxy.toxic[name];
});

it('holds back what is sent into a black hole, until that is gone', async () => {
  proxy.toxic.blackHole = true;
  const asking = ask('MOVE\n', { bytes: 9 });
  expect(await ask('MOVE\n', QUIET)).toEqual({ answer: '', end: 'quiet' });
  proxy.toxic.blackHole = false;
  expect((await asking).answer).toBe('re: MOVE\n');
});

it('is late, and drips', async () => {
  const timed = async (toxic: Toxic) => {
    Object.assign(proxy.toxic, toxic);
    const begun = performance.now();
    const { answer } = await ask('BIG\n', { bytes: 10_000 });
    for (const name of Object.keys(toxic) as (keyof Toxic)[]) delete proxy.toxic[name];
    return [answer.length, performance.now() - begun] as const;
  };
  const late = await timed({ latencyMs: 100 });
  const dripping = await timed({ bytesPerSecond: 50_000 });
  expect([late[0], dripping[0]]).toEqual([10_000, 10_000]);
  expect(late[1]).toBeGreaterThan(90);
  expect(dripping[1]).toBeGreaterThan(150);
});

it('leaves a client that loses the reply to COMMIT without a word, and the row in the table', async () => {
  await using database = await cloneDatabase();
  await database.pool.query('create table written (n int)');
  const url = new URL(database.url);
  await using line = await faultProxy(Number(url.port));
  url.port = String(line.port);
  const client = new pg.Client(url.href);
  client.on('error', () => {});
  await client.connect();
  line.toxic.dropReplyAfter = /commit\0/;
  await client.query('begin; insert into written values (1)');
  const lost = client.query('commit');
  await expect(lost).rejects.not.toHaveProperty('severity');
  expect((await database.pool.query('select n from written')).rows).toEqual([{ n: 1 }]);
});

it('cuts a mail in the middle of its literal, and loses the reply to a MOVE that was done', async () => {
  await using server = await dovecotServer();
  await using line = await faultProxy(server.port);
  const user = server.user();
  await server.deliver(user, 'INBOX', [Buffer.from(`Subject: long\r\n\r\n${'line\r\n'.repeat(20_000)}`)]);
  await server.createFolder(user, 'Processed');
  const login = async () => {
    const auth = { user, pass: server.password };
    const client = new ImapFlow({ host: 'localhost', port: line.port, doSTARTTLS: false, auth, logger: false });
    client.on('error', () => {});
    await client.connect();
    await client.mailboxOpen('INBOX');
    return client;
  };
  line.toxic.cut = { afterBytes: 50_000, request: /UID FETCH/ };
  await expect((await login()).fetchOne('1', { source: true }, { uid: true })).rejects.toMatchObject({
    code: 'NoConnection',
  });
  line.toxic.dropReplyAfter = /UID MOVE/;
  expect(await (await login()).messageMove('1', 'Processed', { uid: true })).toBe(false);
  expect(await server.messages(user, 'INBOX')).toEqual([]);
  expect(await server.messages(user, 'Processed')).toHaveLength(1);
  expect(line.ended()).toBe(2);
});
