import type { Protocol } from '@dmarc-ledger/vocabulary';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { checks, type CheckContext } from '@dmarc-ledger/dns-records';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import {
  faultDns,
  httpsServer,
  type DnsBehaviour,
  type FaultDns,
  type HttpsServer,
  type Page,
} from '@dmarc-ledger/testkit';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDns } from '../src/index.ts';

const HOST = 'mta-sts.firm.com';
const context: CheckContext = {
  domain: 'firm.com',
  organizationalDomain: 'firm.com',
  ours: [],
  selectors: [],
  hasMail: true,
  now: new Date(),
};

let dns: FaultDns;
let https: HttpsServer;
let inside: Server;
let insideConnections = 0;

const a = (name: string, ...addresses: string[]): DnsBehaviour => ({
  answers: addresses.map((data): Answer => ({ type: data.includes(':') ? 'AAAA' : 'A', name, ttl: 0, data })),
});
const only = (type: string, behaviour: DnsBehaviour) => (question: { type: string }) =>
  question.type === type ? behaviour : {};
const txt = (name: string, data: string) => only('TXT', { answers: [{ type: 'TXT', name, ttl: 60, data }] });

beforeAll(async () => {
  https = await httpsServer([HOST, 'logo.test'], {});
  inside = createServer(() => (insideConnections += 1)).listen(https.port, '127.0.0.2');
  await once(inside, 'listening');
  dns = await faultDns({});
});
afterAll(async () => {
  inside.close();
  await Promise.all([dns, https].map((server) => server[Symbol.asyncDispose]()));
});
beforeEach(() => {
  https.seen.length = 0;
  for (const name of Object.keys(dns.scenario)) delete dns.scenario[name];
  for (const place of Object.keys(https.pages)) delete https.pages[place];
  Object.assign(dns.scenario, {
    com: only('NS', { answers: [{ type: 'NS', name: 'com', ttl: 60, data: 'ns.com' }] }),
    'ns.com': only('A', a('ns.com', '127.0.0.1')),
    '_mta-sts.firm.com': txt('_mta-sts.firm.com', 'v=STSv1; id=1;'),
    '_dmarc.firm.com': txt('_dmarc.firm.com', 'v=DMARC1; p=reject'),
    [HOST]: only('A', a(HOST, '127.0.0.1')),
    'logo.test': only('A', a('logo.test', '127.0.0.1')),
  });
});

/** 127.0.0.1 stands for a public address, unless the usual rule is asked for. */
async function found(protocol: Protocol, { isUsualRule = false, isSlow = false } = {}): Promise<string> {
  const client = openDnsClient({ servers: [dns], timeoutMs: 5_000, cacheEntries: 0, isAllowedServer: () => true });
  const isAllowed = isUsualRule ? undefined : (address: string) => address === '127.0.0.1';
  const { port, ca } = https;
  const fetching = guardedFetch({
    client,
    port,
    ca,
    ...(isAllowed && { isAllowed }),
    ...(isSlow && { connectMs: 1_000, totalMs: 1_500 }),
  });
  const search = { client, port: dns.port, isAllowed: () => true };
  const ask = askDns({ dns: client, search, https: fetching, isValidating: false }, AbortSignal.timeout(60_000));
  const { status, details } = await checks.find((check) => check.protocol === protocol)!.run(ask, context);
  return `${status}: ${details}`;
}

const cannot = (reason: string) => `error: The MTA-STS policy cannot be used: ${reason}.`;
const NOT_PUBLIC = cannot('the host is not public');
const SILENT = `unknown: ${HOST} did not answer; the last attempt failed.`;

describe('a host that a stranger names', () => {
  it.each<[string, Page, string]>([
    ['redirects inside', { status: 301, location: 'https://127.0.0.2/' }, cannot('it redirects')],
    ['redirects to an address in hex', { status: 307, location: 'https://0x7f.2/' }, cannot('it redirects')],
    ['sends more than the limit', { bytes: 70_000 }, cannot('it is larger than 64 KB')],
    ['sends a byte now and then', 'drip', SILENT],
    ['says nothing', 'silence', SILENT],
    ['hangs up', 'reset', SILENT],
    ['has no such page', { status: 404 }, cannot('it does not exist')],
    ['fails', { status: 503 }, cannot('its status is 503')],
    ['sends something else', 'root:x:0:0', cannot('its version is not STSv1')],
  ])('%s', async (_, page, expected) => {
    https.pages[`${HOST}/.well-known/mta-sts.txt`] = page;
    expect(await found('mta_sts', { isSlow: expected === SILENT })).toBe(expected);
    expect(https.seen).toEqual([`${HOST}/.well-known/mta-sts.txt`]);
    expect(insideConnections).toBe(0);
  });

  it.each([
    ['127.0.0.1'],
    ['127.8.9.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:a9fe:a9fe'],
    ['64:ff9b::7f00:1'],
    ['fd00::1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:2800:220::1', '::ffff:10.0.0.1'],
  ])('at %s %s is not connected to', async (...addresses) => {
    dns.scenario[HOST] = ({ type }) => a(HOST, ...addresses.filter((each) => (type === 'AAAA') === each.includes(':')));
    expect(await found('mta_sts', { isUsualRule: true })).toBe(NOT_PUBLIC);
    expect(https.seen).toEqual([]);
  });

  it('that is an alias of one inside is not connected to', async () => {
    dns.scenario[HOST] = { answers: [{ type: 'CNAME', name: HOST, ttl: 0, data: 'inside.firm.com' }] };
    dns.scenario['inside.firm.com'] = only('A', a('inside.firm.com', '127.0.0.2'));
    expect(await found('mta_sts')).toBe(NOT_PUBLIC);
    expect(insideConnections).toBe(0);
  });

  it('whose address is another one when it is asked for again is reached at the first', async () => {
    let asked = 0;
    dns.scenario[HOST] = ({ type }) => (type === 'A' ? a(HOST, (asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2') : {});
    https.pages[`${HOST}/.well-known/mta-sts.txt`] = 'version: STSv1\nmode: none\nmax_age: 1\n';
    expect(await found('mta_sts')).toBe('warning: MTA-STS is switched off.');
    expect(asked).toBe(1);
    expect(await found('mta_sts')).toBe(NOT_PUBLIC);
    expect(insideConnections).toBe(0);
  });

  it('has no address', async () => {
    delete dns.scenario[HOST];
    expect(await found('mta_sts')).toBe(cannot('the host has no address'));
  });
});

describe('a logo', () => {
  const LOGO = 'The BIMI record is not usable: the logo cannot be fetched';
  it.each([
    ['https://127.0.0.1/l.svg', `error: ${LOGO} (the host is not public).`],
    ['https://2130706433/l.svg', `error: ${LOGO} (the host is not public).`],
    ['https://0x7f.1/l.svg', `error: ${LOGO} (the host is not public).`],
    ['https://[::1]/l.svg', `error: ${LOGO} (the host is not public).`],
    ['https://[::ffff:127.0.0.1]/l.svg', `error: ${LOGO} (the host is not public).`],
    ['https://localhost/l.svg', `error: ${LOGO} (the host is not public).`],
    ['https://logo.test/big.svg', `error: ${LOGO} (it is larger than 64 KB).`],
    ['https://logo.test/away.svg', `error: ${LOGO} (it redirects).`],
    ['https://logo.test/slow.svg', 'unknown: logo.test did not answer; the last attempt failed.'],
    ['http://logo.test/l.svg', 'error: The BIMI record is not usable: l is no https URL.'],
    ['file:///etc/passwd', 'error: The BIMI record is not usable: l is no https URL.'],
    ['https://logo.test:22/l.svg', 'error: The BIMI record is not usable: l names a port.'],
    ['https://anna:secret@logo.test/l.svg', 'error: The BIMI record is not usable: l names a user.'],
  ])('at %s', async (url, expected) => {
    dns.scenario['default._bimi.firm.com'] = txt('default._bimi.firm.com', `v=BIMI1; l=${url}`);
    Object.assign(https.pages, {
      'logo.test/big.svg': { bytes: 70_000 },
      'logo.test/away.svg': { status: 302, location: 'https://127.0.0.2/' },
      'logo.test/slow.svg': 'drip',
    });
    expect(await found('bimi', { isSlow: expected.startsWith('unknown') })).toBe(expected);
    expect(insideConnections).toBe(0);
  });
});
