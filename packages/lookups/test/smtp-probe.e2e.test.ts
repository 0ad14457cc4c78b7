import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultDns, smtpHost, type FaultDns } from '@dmarc-ledger/testkit';
import { issue } from '@dmarc-ledger/testkit/private-ca';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDnsClient, smtpProbe, type ProbeFact, type SmtpProbeOptions } from '../src/index.ts';
import { greeting, offer, repeats, rudeServer, says, secures, type Manner } from './hostile-mail-servers.ts';

const HOST = 'mx.firm.test';
const FREELY = { inFlight: 50, perSecond: Infinity, waiting: 50 };
const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-smtp-'));
const pem: { [file: string]: string } = {};
let dns: FaultDns;
let own: { certificate: string; key: string };
let second: { certificate: string; key: string };

beforeAll(async () => {
  await issue(folder, { file: 'ca', subject: 'authority', isAuthority: true });
  await issue(folder, { file: 'first', subject: 'first', by: 'ca' });
  await issue(folder, { file: 'second', subject: 'second', by: 'ca' });
  for (const file of ['ca.pem', 'first.pem', 'first.key', 'second.pem', 'second.key'])
    pem[file] = readFileSync(join(folder, file), 'utf8');
  own = { certificate: `${pem['first.pem']}${pem['ca.pem']}`, key: pem['first.key']! };
  second = { certificate: pem['second.pem']!, key: pem['second.key']! };
  dns = await faultDns({});
  at(HOST, '127.0.0.1');
  dns.scenario['broken.firm.test'] = { rcode: 2 };
});
afterAll(async () => {
  await dns[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** The name has these addresses. */
function at(name: string, ...addresses: string[]): void {
  dns.scenario[name] = ({ type }) => {
    const found = addresses.filter((address) => (address.includes(':') ? 'AAAA' : 'A') === type);
    return { answers: found.map((data): Answer => ({ type: type as 'A', name, ttl: 60, data })) };
  };
}

/** Treats loopback as public, unless the usual rule is requested. */
function prober(options: Partial<SmtpProbeOptions>) {
  const client = openDnsClient({ servers: [dns], timeoutMs: 5_000, tries: 1, cacheEntries: 0 });
  const isAllowed = (address: string) => address.startsWith('127.0.0.');
  return smtpProbe({ client, isAllowed, times: { connectMs: 5_000, replyMs: 5_000, totalMs: 10_000 }, ...options });
}

/** The subjects of the certificates presented, or why there is none. */
function shownBy(fact: ProbeFact): unknown {
  if (fact.outcome === 'unprobed') return fact.reason;
  return fact.chains.map((chain) => chain.map((der) => new X509Certificate(der).subject.replace('CN=', '')).join(' '));
}

describe('a mail server is asked for its certificates', () => {
  it('by its name, and shows all of them; no mail is begun', async () => {
    await using server = await smtpHost(own);
    expect(shownBy(await prober({ port: server.port }).ask(HOST))).toEqual(['first authority']);
    await vi.waitFor(() => expect(server.secured).toEqual([HOST]), 10_000);
    expect(server.mails()).toBe(0);
  });

  it('at each of its addresses', async () => {
    await using server = await smtpHost(own);
    await using other = await smtpHost({ ...second, address: '127.0.0.2', port: server.port });
    at('two.firm.test', '127.0.0.1', '127.0.0.2', '127.0.0.3');
    expect(shownBy(await prober({ port: server.port }).ask('two.firm.test'))).toEqual(['first authority', 'second']);
    expect(other.connections()).toBe(1);
  });

  it('once for all callers, and again when that is old', async () => {
    await using server = await smtpHost(own);
    const lasting = prober({ port: server.port });
    await Promise.all(Array.from({ length: 50 }, () => lasting.ask(HOST)));
    await lasting.ask(HOST);
    expect(server.connections()).toBe(1);
    const brief = prober({ port: server.port, keptMs: 1 });
    await brief.ask(HOST);
    await vi.waitFor(async () => {
      await brief.ask(HOST);
      expect(server.connections()).toBeGreaterThan(2);
    }, 20_000);
  });

  it('again, once for all, when it must be recent', async () => {
    await using server = await smtpHost(own);
    const probe = prober({ port: server.port, recentMs: 0, perAddress: FREELY });
    await probe.ask(HOST);
    server.present(second);
    expect(shownBy(await probe.ask(HOST))).toEqual(['first authority']);
    const found = await Promise.all(Array.from({ length: 20 }, () => probe.ask(HOST, { isRecent: true })));
    expect(new Set(found.map((fact) => String(shownBy(fact))))).toEqual(new Set(['second']));
    expect(shownBy(await probe.ask(HOST))).toEqual(['second']);
    expect(server.connections()).toBe(2);
    const usual = prober({ port: server.port, perAddress: FREELY });
    await usual.ask(HOST);
    await usual.ask(HOST, { isRecent: true });
    expect(server.connections()).toBe(3);
  });

  it('a few at a time, however many names lead to it', async () => {
    await using server = await rudeServer(() => {});
    const names = Array.from({ length: 30 }, (_, i) => `mx${i}.firm${i}.test`);
    for (const name of names) at(name, '127.0.0.1');
    const probe = prober({ port: server.port });
    const found: unknown[] = [];
    for (const name of names) void probe.ask(name).then((fact) => found.push(shownBy(fact)));
    await vi.waitFor(() => expect(found.filter((each) => each === 'overloaded')).toHaveLength(18), 20_000);
    expect(server.open()).toBeLessThanOrEqual(2);
  });
});

describe('what shows no certificate is a fact', () => {
  const brief = { connectMs: 300, replyMs: 300, totalMs: 700 };
  it.each<[manner: string, Manner, reason: string]>([
    ['never says anything', () => {}, 'timeout'],
    ['says a letter now and then', repeats('2', 20), 'timeout'],
    ['greets without end', repeats('220-welcome\r\n', 20), 'timeout'],
    ['says a line without end', (socket) => socket.write('2'.repeat(100_000)), 'too_large'],
    ['says lines without end', (socket) => socket.write('220-welcome\r\n'.repeat(10_000)), 'too_large'],
    ['speaks another language', says(['HTTP/1.1 400 Bad Request\r\n']), 'malformed'],
    ['greets with no number', says(['hello\r\n']), 'malformed'],
    ['closes', (socket) => socket.end(), 'reset'],
    ['resets', (socket) => socket.resetAndDestroy(), 'reset'],
    ['closes in the middle of a line', (socket) => socket.end('220 mx'), 'reset'],
    ['does not want to talk', says(['554 no\r\n']), 'rejected'],
    ['has no time', says(['421 later\r\n']), 'rejected'],
    ['knows no EHLO', says([greeting, '502 what?\r\n']), 'rejected'],
    ['offers no TLS', says([greeting, '250-mx.test\r\n250 SIZE 1000\r\n']), 'no_starttls'],
    ['offers something like it', says([greeting, '250-STARTTLS\r\n250 XSTARTTLS\r\n']), 'no_starttls'],
    ['refuses TLS', says([greeting, offer, '454 not now\r\n']), 'starttls_rejected'],
    ['begins TLS and is silent', says([greeting, offer, '220 go\r\n']), 'timeout'],
    ['begins TLS and closes', says([greeting, offer, '220 go\r\n'], (socket) => socket.end()), 'tls'],
    ['begins TLS with garbage', says([greeting, offer, '220 go\r\n', 'garbage\r\n']), 'tls'],
    [
      'begins TLS with an alert',
      says([greeting, offer, '220 go\r\n', '\x15\x03\x03\x00\x02\x02\x28']), // handshake_failure
      'tls',
    ],
    [
      'speaks only old TLS',
      says([greeting, offer, '220 go\r\n'], secures({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })),
      'tls',
    ],
  ])('of one that %s', async (_, manner, reason) => {
    await using server = await rudeServer(manner);
    const times = reason === 'timeout' ? { times: brief } : {};
    expect(shownBy(await prober({ port: server.port, ...times }).ask(HOST))).toBe(reason);
    await vi.waitFor(() => expect(server.open()).toBe(0), 10_000);
  });

  it('of a closed port', async () => {
    const { port, ...server } = await rudeServer(() => {});
    await server[Symbol.asyncDispose]();
    expect(shownBy(await prober({ port }).ask(HOST))).toBe('refused');
  });

  it.each([
    ['none.firm.test', 'no_address'],
    ['broken.firm.test', 'dns'],
  ])('of %s', async (name, reason) => expect(shownBy(await prober({ port: 25 }).ask(name))).toBe(reason));

  it('and the server receives QUIT', async () => {
    await using server = await rudeServer(says([greeting, '250 mx.test\r\n']));
    await prober({ port: server.port }).ask(HOST);
    await vi.waitFor(() => expect(server.said()).toBe('EHLO [127.0.0.1]\r\nQUIT\r\n'), 10_000);
  });
});

it('what was said before TLS is forgotten', async () => {
  const injected = '220 go\r\n250-mx.test\r\n250 AUTH PLAIN\r\n';
  await using server = await rudeServer(
    says([greeting, offer, injected], secures({ cert: pem['first.pem']!, key: pem['first.key']! })),
  );
  expect(shownBy(await prober({ port: server.port }).ask(HOST))).toEqual(['first']);
  expect(server.said()).not.toMatch(/AUTH|MAIL|RCPT/);
});

it('servers of one domain that never answer leave turns to others', async () => {
  await using server = await smtpHost(own);
  await using silent = await rudeServer(() => {}, { address: '127.0.0.9', port: server.port });
  const times = { connectMs: 600_000, replyMs: 600_000, totalMs: 600_000 };
  const probe = prober({ port: server.port, perAddress: FREELY, times });
  for (let i = 0; i < 30; i += 1) {
    at(`mx${i}.stranger.test`, '127.0.0.9');
    void probe.ask(`mx${i}.stranger.test`);
  }
  await vi.waitFor(() => expect(silent.open()).toBe(5), 10_000);
  expect(shownBy(await probe.ask(HOST))).toEqual(['first authority']);
  expect(silent.open()).toBe(5);
});

describe('what is not to be connected to is not', () => {
  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['192.168.1.1'],
    ['0.0.0.0'],
    ['fd00::1'],
    ['64:ff9b::7f00:1'],
    ['9.9.9.9', '127.0.0.1'],
    ['9.9.9.1', '9.9.9.2', '9.9.9.3', '9.9.9.4', '9.9.9.5', '127.0.0.1'],
  ])('a server at %s', async (...addresses) => {
    await using server = await smtpHost(own);
    at('inside.firm.test', ...addresses);
    const probe = prober({ port: server.port, isAllowed: undefined });
    expect(shownBy(await probe.ask('inside.firm.test'))).toBe('forbidden');
    expect(server.connections()).toBe(0);
  });

  it.each(['127.0.0.1', '::1', '[127.0.0.1]', '0x7f.1', 'localhost', 'a b.test', 'mx.firm.test\r\nQUIT', ''])(
    'a host named %j',
    async (name) => {
      await using server = await smtpHost(own);
      expect(shownBy(await prober({ port: server.port }).ask(name))).toBe('forbidden');
      expect(server.connections()).toBe(0);
    },
  );
});
