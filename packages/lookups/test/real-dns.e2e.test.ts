import { dnsServer, type DnsServer } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askCanary, askZone, joinText, lookUpReverse, openDnsClient, type DnsClient } from '../src/index.ts';

/** Test zones on loopback: 9.9.9.0/24 and 2620:fe::/48 stand for senders, `bl.test` for a blocklist. */
const zones = {
  '9.9.9.in-addr.arpa': `
17 PTR mail.sender.test.
18 PTR mail.google.com.
19 PTR one.sender.test.
19 PTR two.sender.test.
19 PTR three.sender.test.
19 PTR four.sender.test.
20 PTR under_score.sender.test.
21 CNAME 21.rfc2317.sender.test.
22 PTR gone.sender.test.
`,
  '0.0.0.0.e.f.0.0.0.2.6.2.ip6.arpa': `
7.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0 PTR six.sender.test.
`,
  'sender.test': `
mail A 9.9.9.17
mail AAAA 2620:fe::17
one A 9.9.9.19
two A 9.9.9.20
six AAAA 2620:fe::17
21.rfc2317 PTR mail.sender.test.
long TXT ${Array.from({ length: 20 }, (_, i) => `"${String(i).repeat(100)}"`).join(' ')}
sub NS ns.elsewhere.test.
`,
  'google.com': 'mail A 142.250.0.1',
  'bl.test': `
2.0.0.127 A 127.0.0.2
2.0.0.127 TXT "test entry"
17.9.9.9 A 127.0.0.2
17.9.9.9 A 127.0.0.10
17.9.9.9 TXT "spam was seen; https://bl.test/9.9.9.17"
7.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.e.f.0.0.0.2.6.2 A 127.0.0.3
`,
  'refusing.test': '* A 127.255.255.254',
};

let server: DnsServer;
let client: DnsClient;
beforeAll(async () => {
  server = await dnsServer(zones);
  const { address, port } = server;
  client = openDnsClient({ servers: [{ address, port }], isAllowedServer: () => true });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('reverse DNS on a real server', () => {
  it.each([
    ['9.9.9.17', { outcome: 'found', names: [{ name: 'mail.sender.test', confirmed: true }] }],
    ['9.9.9.18', { outcome: 'found', names: [{ name: 'mail.google.com', confirmed: false }] }],
    ['9.9.9.20', { outcome: 'none' }],
    ['9.9.9.21', { outcome: 'found', names: [{ name: 'mail.sender.test', confirmed: false }] }],
    ['9.9.9.22', { outcome: 'found', names: [{ name: 'gone.sender.test', confirmed: false }] }],
    ['9.9.9.99', { outcome: 'none' }],
    ['2620:fe::17', { outcome: 'found', names: [{ name: 'six.sender.test', confirmed: true }] }],
    ['8.8.8.8', { outcome: 'failed', failure: 'refused' }],
  ])('%s', async (ip, expected) => expect(await lookUpReverse(client, ip)).toEqual(expected));

  it('puts the name that resolves back first', async () => {
    const fact = await lookUpReverse(client, '9.9.9.19');
    expect(fact.outcome === 'found' && fact.names).toHaveLength(3);
    expect(fact).toMatchObject({ names: [{ name: 'one.sender.test', confirmed: true }, {}, {}] });
  });
});

describe('a blocklist on a real server', () => {
  it.each([
    [
      'bl.test',
      '9.9.9.17',
      { addresses: ['127.0.0.10', '127.0.0.2'], texts: ['spam was seen; https://bl.test/9.9.9.17'] },
    ],
    ['bl.test', '9.9.9.18', { outcome: 'nxdomain' }],
    ['bl.test', '2620:fe::17', { addresses: ['127.0.0.3'], texts: [] }],
    ['refusing.test', '9.9.9.17', { addresses: ['127.255.255.254'], texts: [] }],
    ['unknown.test', '9.9.9.17', { outcome: 'failed', failure: 'refused' }],
  ])('%s says of %s: %j', async (zone, ip, expected) =>
    expect(await askZone(client, zone, ip)).toMatchObject(expected),
  );

  it('answers its canaries', async () => {
    expect(await askCanary(client, 'bl.test', '127.0.0.2')).toMatchObject({ texts: ['test entry'] });
    expect(await askCanary(client, 'bl.test', '127.0.0.1')).toEqual({ outcome: 'nxdomain' });
    expect(await askCanary(client, 'refusing.test', '127.0.0.1')).toMatchObject({ addresses: ['127.255.255.254'] });
  });
});

describe('a real server', () => {
  it('is asked again over TCP when a long answer was cut', async () => {
    const fact = await client.ask('long.sender.test', 'TXT');
    expect(fact.outcome === 'answer' && joinText(fact.data[0]!)).toHaveLength(20 * 100 + 10 * 100);
  });

  it('shows that it speaks for its zone, how long an absence holds, and where a zone ends', async () => {
    const direct = { address: server.address, port: server.port };
    expect(await client.askDirectly(direct, 'none.sender.test', 'A')).toMatchObject({
      outcome: 'nxdomain',
      authoritative: true,
      ttl: 120,
    });
    expect(await client.askDirectly(direct, 'mail.sender.test', 'TXT')).toMatchObject({ outcome: 'nodata' });
    expect(await client.askDirectly(direct, 'x.sub.sender.test', 'A')).toMatchObject({
      outcome: 'referral',
      authority: [{ type: 'NS', data: 'ns.elsewhere.test' }],
    });
  });

  it('is asked each question once', async () => {
    const before = (await server.counts())['AAAA'] ?? 0;
    const { address, port } = server;
    const fresh = openDnsClient({ servers: [{ address, port }] });
    await Promise.all(Array.from({ length: 300 }, (_, i) => fresh.ask(`n${i % 30}.sender.test`, 'AAAA')));
    expect((await server.counts())['AAAA']).toBe(before + 30);
  });
});
