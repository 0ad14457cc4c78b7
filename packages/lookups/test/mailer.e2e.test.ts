import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { smtpHost, type SmtpHost, type SmtpHostOptions } from '@dmarc-ledger/testkit';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openMailer, type Hold, type Mail, type MailFact, type MailerOptions } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-mailer-'));
let own: Pick<SmtpHostOptions, 'certificate' | 'key'>;
let ca: string;
let host: SmtpHost;

beforeAll(async () => {
  const made = await makeCertificate(folder);
  own = { certificate: readFileSync(made.certificate, 'utf8'), key: readFileSync(made.key, 'utf8') };
  ({ ca } = made);
  host = await smtpHost({ ...own, password: 'pass word' });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const mail: Mail = {
  to: ['a@shop.example', 'b@shop.example'],
  subject: 'DMARC record removed for shop.example',
  text: 'DMARC record removed for shop.example\n\nGone – für immer.',
  id: 'event.target',
  list: { id: 'org.events', name: 'DMARC Ledger events' },
};
const from = 'DMARC Ledger <ledger@Ledger.example>';
const at = ({ port }: { port: number }, user = '') => `smtp://${user}localhost:${port}`;

/** The header as lines, unfolded. */
function headerOf({ text }: { text: string }): string[] {
  return text
    .slice(0, text.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
}

it('is sent with headers that mark it as automatic, and identify repeats', async () => {
  const mailer = openMailer({ url: at(host), from, ca });
  expect(await mailer.send(mail)).toEqual({ outcome: 'taken', status: 250, refused: 0 });
  const taken = host.taken.at(-1)!;
  expect(taken).toMatchObject({ from: 'ledger@ledger.example', to: mail.to, isSecure: true, user: null });
  expect(headerOf(taken)).toEqual(
    expect.arrayContaining([
      'From: DMARC Ledger <ledger@ledger.example>',
      'To: a@shop.example, b@shop.example',
      'Subject: DMARC record removed for shop.example',
      'Message-ID: <event.target@ledger.example>',
      'Auto-Submitted: auto-generated',
      'List-ID: DMARC Ledger events <org.events.ledger.example>',
      'Content-Type: text/plain; charset=utf-8',
    ]),
  );
});

it('signs in with user and password, over TLS alone', async () => {
  const mailer = openMailer({ url: at(host, 'me:pass%20word@'), from, ca });
  expect(await mailer.send(mail)).toMatchObject({ outcome: 'taken' });
  expect(host.taken.at(-1)).toMatchObject({ user: 'me', isSecure: true });
});

it.each([
  ['a line end and a header', 'Title\r\nBcc: victim@shop.example\r\n\r\nbody'],
  ['a bare line end', 'Title\nX-Evil: 1'],
  ['other ends of lines', 'Title\u2028X-Evil: 1\u0085X-More: 1'],
  ['an encoded word with one in it', '=?utf-8?q?Title=0D=0AX-Evil:_1?='],
])('makes no header of %s', async (_, hostile) => {
  const mailer = openMailer({ url: at(host), from, ca });
  await mailer.send(mail);
  const usual = headerOf(host.taken.at(-1)!).map((line) => line.split(':')[0]);
  expect(await mailer.send({ ...mail, subject: hostile, text: hostile })).toMatchObject({ outcome: 'taken' });
  const taken = host.taken.at(-1)!;
  expect(headerOf(taken).map((line) => line.split(':')[0])).toEqual(
    expect.arrayContaining(usual.filter((name) => name !== 'Content-Transfer-Encoding')),
  );
  expect(headerOf(taken).join('\n')).not.toMatch(/^(?:Bcc|X-)/m);
  expect(taken.to).toEqual(mail.to);
});

it('is handed over by TLS from the start where the server speaks it so', async () => {
  await using implicit = await smtpHost({ ...own, isImplicit: true });
  const mailer = openMailer({ url: `smtps://localhost:${implicit.port}`, from, ca });
  expect(await mailer.send(mail)).toEqual({ outcome: 'taken', status: 250, refused: 0 });
  expect(implicit.taken.at(-1)).toMatchObject({ to: mail.to, isSecure: true });
  const unknown = openMailer({ url: `smtps://localhost:${implicit.port}`, from });
  expect(await unknown.send(mail)).toEqual({ outcome: 'unreachable', reason: 'tls' });
});

describe('a failure is reported', () => {
  it('a wrong password', async () => {
    const mailer = openMailer({ url: at(host, 'me:wrong@'), from, ca });
    expect(await mailer.send(mail)).toEqual({ outcome: 'refused', reason: 'auth', status: 535 });
  });

  it('addresses that are not served', async () => {
    host.refuse(550);
    expect(await openMailer({ url: at(host), from, ca }).send(mail)).toEqual({
      outcome: 'refused',
      reason: 'mail',
      status: 550,
    });
    host.refuse(0);
  });

  it('a server that has no TLS, where there is a password: it never hears it', async () => {
    await using plain = await smtpHost({ ...own, hasTls: false, password: 'pass word' });
    const mailer = openMailer({ url: at(plain, 'me:pass%20word@'), from, ca });
    expect(await mailer.send(mail)).toMatchObject({ outcome: expect.not.stringMatching('taken') });
    expect(plain.taken).toEqual([]);
    expect(await openMailer({ url: at(plain), from, ca }).send(mail)).toMatchObject({ outcome: 'taken' });
  });

  it('a certificate of an unknown authority', async () => {
    const refusal = { outcome: 'unreachable', reason: 'tls' };
    expect(await openMailer({ url: at(host), from }).send(mail)).toEqual(refusal);
  });

  it('a certificate for another name', async () => {
    const made = await makeCertificate(folder, ['DNS:mx.other.example']);
    const [certificate, key] = [readFileSync(made.certificate, 'utf8'), readFileSync(made.key, 'utf8')];
    await using other = await smtpHost({ certificate, key });
    const mailer = openMailer({ url: at(other), from, ca: made.ca });
    expect(await mailer.send(mail)).toEqual({ outcome: 'unreachable', reason: 'tls' });
  });

  it('a server that begins without TLS where it is spoken from the start', async () => {
    const mailer = openMailer({ url: `smtps://localhost:${host.port}`, from, ca });
    expect(await mailer.send(mail)).toEqual({ outcome: 'unreachable', reason: 'tls' });
  });

  it.each<[string, Partial<MailerOptions>]>([
    ['at one step', { timeoutMs: 200 }],
    ['over all', { totalMs: 200 }],
  ])('a server that is too slow %s', async (_, timing) => {
    const silent = createServer((socket) => void socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const mailer = openMailer({ url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, from, ...timing });
    expect(await mailer.send(mail)).toEqual({ outcome: 'unreachable', reason: 'timeout' });
    silent.close();
  });

  it('a server that was given up takes nothing of the mail later', async () => {
    const closed = Promise.withResolvers<string>();
    const slow = createServer((socket) => {
      let heard = '';
      const drip = setInterval(() => socket.write('220-wait\r\n'), 50);
      socket.on('data', (bytes) => (heard += bytes.toString())).on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        closed.resolve(heard);
      });
    }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const mailer = openMailer({ url: `smtp://127.0.0.1:${port}`, from, totalMs: 300 });
    const held: number[] = [];
    const hold = (ms: number) => Promise.resolve(held.push(ms) > 0);
    expect(await mailer.send(mail, hold)).toEqual({ outcome: 'unreachable', reason: 'timeout' });
    expect(held).toEqual([]);
    expect(await closed.promise).toBe(''); // the connection is closed, whatever the server would say
    slow.close();
  });

  it('no server there', async () => {
    expect(await openMailer({ url: at({ port: 9 }), from }).send(mail)).toEqual({
      outcome: 'unreachable',
      reason: 'network',
    });
  });
});

describe('a server that has the whole mail, and is slow to answer', () => {
  /** Sends mails to a server that takes them, and answers when all are there. */
  async function sendMany(count: number, hold?: Hold, answerMs = 60_000) {
    await using slow = await smtpHost(own);
    const answer = slow.holdAnswers();
    const mailer = openMailer({ url: at(slow), from, ca, totalMs: 2_000, answerMs });
    const facts: MailFact[] = [];
    const sent = Array.from({ length: count }, async () => facts.push(await mailer.send(mail, hold)));
    await vi.waitFor(() => expect(slow.taken).toHaveLength(count), 10_000);
    await setTimeout(2_500); // the time of a mail is over
    const before = [...facts];
    answer();
    await Promise.all(sent);
    return { before, after: facts.slice(before.length) };
  }
  const timeout = { outcome: 'unreachable', reason: 'timeout' };
  const taken = { outcome: 'taken', status: 250, refused: 0 };

  it('has more time for it where the mail is not sent again meanwhile', async () => {
    const held: number[] = [];
    const hold = (ms: number) => Promise.resolve(held.push(ms) > 0);
    expect(await sendMany(1, hold)).toEqual({ before: [], after: [taken] });
    expect(held).toEqual([60_000]);
  });

  it('has it for a few mails at a time', async () => {
    const { before, after } = await sendMany(6, () => Promise.resolve(true));
    expect(before).toEqual([timeout, timeout]);
    expect(after).toEqual([taken, taken, taken, taken]);
  });

  it.each<[string, Hold | undefined, number?]>([
    ['nothing keeps the mail from being sent again', undefined],
    ['it is sent again already', () => Promise.resolve(false)],
    ['the database is away', () => Promise.reject(new Error('away'))],
    ['it takes longer than it may', () => Promise.resolve(true), 100],
  ])('is given up where %s', async (_, hold, answerMs) => {
    expect(await sendMany(1, hold, answerMs)).toEqual({ before: [timeout], after: [] });
  });
});
