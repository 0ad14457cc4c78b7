import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks, type Finding } from '@dmarc-ledger/dns-records';
import { guardedFetch, openDnsClient, smtpProbe, type SmtpProbe } from '@dmarc-ledger/lookups';
import {
  dnsServer,
  resolverServer,
  smtpHost,
  type DnsServer,
  type Resolver,
  type SmtpHost,
} from '@dmarc-ledger/testkit';
import { issue } from '@dmarc-ledger/testkit/private-ca';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDns } from '../src/index.ts';

const NONE = 'The mail servers publish no DANE records.';
const MATCHING = 'All mail servers have matching DANE records.';
const UNREAD = 'DNS could not be read; the last attempt failed.';
/** The longest name: none below it can have TLSA records. */
const LONG = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(52)}.long.com`;
const NO_SERVERS = 'The domain has no mail servers.';
const FREELY = { inFlight: 50, perSecond: Infinity, waiting: 50 };
const hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let tls: { [name: string]: { certificate: string; key: string } };
let servers: { knot: DnsServer; resolver: Resolver; mail: SmtpHost; plain: SmtpHost };

/** Zones with mail servers at 127.0.0.1, which has a certificate of `authority` for mx.anchored.com. */
function zonesOf([own, next, authority]: [own: X509Certificate, next: X509Certificate, authority: X509Certificate]): {
  [zone: string]: string;
} {
  const keyOf = ({ publicKey }: X509Certificate) => hex(publicKey.export({ type: 'spki', format: 'der' }));
  const key = keyOf(own);
  const right = (host: string) => `_25._tcp.${host} TLSA 3 1 1 ${key}`;
  const wrong = (host: string) => `_25._tcp.${host} TLSA 3 1 1 ${'ab'.repeat(32)}`;
  const anchor = (host: string) => `_25._tcp.${host} TLSA 2 0 1 ${hex(authority.raw)}`;
  const one = (record = '', address = '127.0.0.1') => `@ MX 10 mx\nmx A ${address}\n${record}`;
  const two = (...records: string[]) =>
    ['@ MX 20 mx2', '@ MX 10 mx1', 'mx1 A 127.0.0.1', 'mx2 A 127.0.0.1', ...records].join('\n');
  return {
    'null.com': '@ MX 0 .',
    'nothing.com': '',
    'unsigned.com': one(wrong('mx')),
    'bare.com': one(),
    'long.com': `@ MX 10 ${LONG}.`,
    'web.com': one(`_25._tcp.mx TLSA 1 1 1 ${key}`),
    'bogus.com': one(right('mx')),
    'wrong.com': one(wrong('mx')),
    'second.com': two(right('mx1'), wrong('mx2')),
    'half.com': two(wrong('mx1')),
    'part.com': two(right('mx1')),
    'good.com': two(right('mx1'), right('mx2')),
    'rolling.com': one(`${wrong('mx')}\n${right('mx')}`),
    'next.com': one(`_25._tcp.mx TLSA 3 1 1 ${keyOf(next)}`),
    'anchored.com': one(anchor('mx')),
    'misnamed.com': one(anchor('mx')),
    'plain.com': one(wrong('mx'), '127.0.0.2'),
    'closed.com': one(wrong('mx'), '127.0.0.3'),
    'odd.com': one(`_25._tcp.mx CNAME key\\.1\nkey\\.1 TLSA 3 1 1 ${key}`),
    'inside.com': one(wrong('mx'), '10.0.0.1'),
  };
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-dane-'));
  await issue(folder, { file: 'ca', subject: 'authority', isAuthority: true });
  await issue(folder, { file: 'mx', subject: 'mx', names: ['DNS:mx.anchored.com'], by: 'ca' });
  await issue(folder, { file: 'next', subject: 'next' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  tls = {
    own: { certificate: read('mx.pem') + read('ca.pem'), key: read('mx.key') },
    next: { certificate: read('next.pem'), key: read('next.key') },
  };
  const [own, next, authority] = ['mx.pem', 'next.pem', 'ca.pem'].map((file) => new X509Certificate(read(file)));
  const zones = zonesOf([own!, next!, authority!]);
  rmSync(folder, { recursive: true, force: true });
  const signed = Object.keys(zones).filter((zone) => zone !== 'unsigned.com' && zone !== 'bogus.com');
  const knot = await dnsServer({ '.': 'ns.test. A 127.0.0.1', ...zones }, { signed });
  const trustAnchors = (await Promise.all(signed.map((zone) => knot.trustAnchors(zone)))).flat();
  trustAnchors.push(`bogus.com. DS 1 13 2 ${'ab'.repeat(32)}`); // should be signed, and is not
  const resolver = await resolverServer({ upstream: knot, zones: ['.', ...Object.keys(zones)], trustAnchors });
  const mail = await smtpHost(tls['own']!);
  const plain = await smtpHost({ ...tls['own']!, hasTls: false, address: '127.0.0.2', port: mail.port });
  servers = { knot, resolver, mail, plain };
});
afterAll(async () => {
  await Promise.all(Object.values(servers ?? {}).map((server) => server[Symbol.asyncDispose]()));
});

const openClient = () => openDnsClient({ servers: [servers.resolver], timeoutMs: 3_000, isAllowedServer: () => true });

function openProbe(recentMs?: number): SmtpProbe {
  const { port } = servers.mail;
  const isAllowed = (address: string) => address.startsWith('127.');
  return smtpProbe({
    client: openClient(),
    port,
    isAllowed,
    perAddress: FREELY,
    ...(recentMs !== undefined && { recentMs }),
  });
}

interface FindingOptions {
  isProbing?: boolean;
  isValidating?: boolean;
  smtp?: SmtpProbe;
}

/** The finding of a check that connects to mail servers, unless `isProbing` is false. */
async function found(domain: string, options: FindingOptions = {}): Promise<Finding> {
  const { knot } = servers;
  const { isProbing = true, isValidating = true } = options;
  const client = openClient();
  const search = { client, port: knot.port, isAllowed: () => true };
  const smtp = isProbing ? (options.smtp ?? openProbe()) : undefined;
  const needs = { dns: client, search, https: guardedFetch({ client }), smtp, isValidating };
  const context = { domain, organizationalDomain: domain, ours: [], selectors: [], hasMail: true, now: new Date() };
  const ask = askDns(needs, AbortSignal.timeout(60_000));
  return await checks.find(({ protocol }) => protocol === 'dane')!.run(ask, context);
}

describe('DANE is judged by signed records and by the certificates that mail servers show', () => {
  it.each<[domain: string, status: string, details: string, note?: string]>([
    ['nothing.com', 'unknown', NO_SERVERS],
    ['null.com', 'unknown', NO_SERVERS],
    ['bogus.com', 'unknown', UNREAD],
    ['odd.com', 'unknown', UNREAD],
    ['unsigned.com', 'error', NONE],
    ['bare.com', 'error', NONE],
    ['long.com', 'error', NONE],
    ['web.com', 'error', NONE],
    ['wrong.com', 'error', 'The DANE record of mx.wrong.com does not match its certificate.'],
    ['second.com', 'error', 'The DANE record of mx2.second.com does not match its certificate.'],
    ['half.com', 'error', 'The DANE record of mx1.half.com does not match its certificate.'],
    ['misnamed.com', 'error', 'The DANE record of mx.misnamed.com does not match its certificate.'],
    ['part.com', 'warning', 'Only 1 of 2 mail servers has DANE records.'],
    ['good.com', 'ok', MATCHING],
    ['rolling.com', 'ok', MATCHING],
    ['anchored.com', 'ok', MATCHING],
    ['plain.com', 'ok', MATCHING, 'The certificate of mx.plain.com could not be compared: it offered no TLS.'],
    [
      'closed.com',
      'ok',
      MATCHING,
      'The certificate of mx.closed.com could not be compared: it refused the connection.',
    ],
    ['inside.com', 'ok', MATCHING, 'The certificate of mx.inside.com could not be compared: it is not a public host.'],
  ])('%s: %s, %s', async (domain, status, details, note) => {
    const { notes = [], ...finding } = await found(domain);
    expect({ ...finding, notes }).toMatchObject({ status, details, notes: note === undefined ? [] : [note] });
  });

  it('a server that has its new certificate since it was asked last is not called wrong', async () => {
    const smtp = openProbe(0);
    expect(await found('next.com', { smtp })).toMatchObject({ status: 'error' });
    servers.mail.present(tls['next']!);
    expect(await found('next.com', { smtp })).toMatchObject({ status: 'ok', details: MATCHING });
    servers.mail.present(tls['own']!);
  });

  it('without a validating resolver nothing is known, and no server is connected to', async () => {
    const before = servers.mail.connections();
    const details = 'DANE could not be checked: no validating resolver.';
    expect(await found('wrong.com', { isValidating: false })).toMatchObject({ status: 'unknown', details });
    expect(servers.mail.connections()).toBe(before);
  });

  it('where mail servers are not connected to, the records alone count', async () => {
    const before = servers.mail.connections();
    const { notes = [], ...finding } = await found('wrong.com', { isProbing: false });
    expect({ ...finding, notes }).toEqual({ status: 'ok', details: MATCHING, hasRecord: true, notes: [] });
    expect(servers.mail.connections()).toBe(before);
  });

  it('no mail was begun', () => expect([servers.mail.mails(), servers.plain.mails()]).toEqual([0, 0]));
});
