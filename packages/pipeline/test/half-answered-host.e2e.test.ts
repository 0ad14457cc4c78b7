import { readSpfTree } from '@dmarc-ledger/dns-records';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import { faultDns, type DnsBehaviour } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askDns } from '../src/index.ts';
import { behave, resolver as resolving } from './domains/false-answers.ts';

const DOMAIN = 'firm.com';
const HOST = `out.${DOMAIN}`;
const answer = (name: string, type: 'TXT' | 'A' | 'AAAA', data: string): DnsBehaviour => ({
  answers: [{ type, name, ttl: 60, data }],
});
const record = answer(DOMAIN, 'TXT', `v=spf1 a:${HOST} -all`);
const a = answer(HOST, 'A', '192.0.2.1');
const aaaa = answer(HOST, 'AAAA', '2001:db8::1');
const failure: DnsBehaviour = { rcode: 2 };

const stack = new AsyncDisposableStack();
let resolver: Awaited<ReturnType<typeof faultDns>>;
let servers: (typeof resolver)[];
beforeAll(async () => {
  resolver = stack.use(await faultDns({ '*': resolving }));
  const first = stack.use(await faultDns({}, { address: '127.0.0.3' }));
  servers = [first, stack.use(await faultDns({}, { address: '127.0.0.4', port: first.port }))];
});
afterAll(async () => await stack.disposeAsync());

it.each<[string, { A?: DnsBehaviour; AAAA?: DnsBehaviour }, boolean, string[]]>([
  ['with both families answered', { A: a, AAAA: aaaa }, true, ['192.0.2.1/32', '2001:db8::1/128']],
  ['that has no IPv6', { A: a }, true, ['192.0.2.1/32']],
  ['with IPv4 alone answered', { A: a, AAAA: failure }, false, ['192.0.2.1/32']],
  ['with IPv6 alone answered', { A: failure, AAAA: aaaa }, false, ['2001:db8::1/128']],
])('the SPF tree of a host %s is complete or not', async (_, host, isComplete, networks) => {
  for (const server of servers)
    behave(server, ({ name, type }) => {
      if (name === DOMAIN && type === 'TXT') return record;
      return name === HOST ? (host[type as 'A' | 'AAAA'] ?? {}) : undefined;
    });
  const client = openDnsClient({
    servers: [resolver],
    timeoutMs: 1_000,
    cacheEntries: 0,
    isAllowedServer: () => true,
    perDirectServer: { inFlight: 50, perSecond: Infinity },
  });
  const search = { client, port: servers[0]!.port, isAllowed: () => true };
  const needs = { dns: client, search, https: guardedFetch({ client }), isValidating: false };
  const tree = await readSpfTree(askDns(needs, AbortSignal.timeout(20_000)), DOMAIN);
  expect({ isComplete: tree?.isComplete, networks: tree?.terms[0]?.networks }).toEqual({ isComplete, networks });
});
