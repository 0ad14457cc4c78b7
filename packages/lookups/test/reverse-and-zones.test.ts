import { faultDns, type DnsScenario, type FaultDns } from '@dmarc-ledger/testkit';
import type { Answer } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { askCanary, askZone, lookUpReverse, openDnsClient, reverseName } from '../src/index.ts';

const open: FaultDns[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server[Symbol.asyncDispose]();
});

async function clientOf(scenario: DnsScenario) {
  const server = await faultDns(scenario);
  open.push(server);
  const isSilent = Object.values(scenario).some((rule) => typeof rule === 'object' && rule.drop);
  return { server, client: openDnsClient({ servers: [server], timeoutMs: isSilent ? 1_000 : 5_000, tries: 1 }) };
}

const ip = '9.9.9.17';
const ip6 = '2620:fe::17';
const pointer = reverseName(ip)!;
const ptr = (...names: string[]) => ({
  answers: names.map((data): Answer => ({ type: 'PTR', name: pointer, ttl: 60, data })),
});
const host = (name: string, ...addresses: string[]) => ({
  answers: addresses.map((data): Answer => ({ type: 'A', name, ttl: 60, data })),
});

describe('reverse DNS', () => {
  it.each<[string, DnsScenario, object]>([
    [
      'a name that resolves back',
      { [pointer]: ptr('Mail.Example.com'), 'mail.example.com': host('mail.example.com', '9.9.9.9', ip) },
      { outcome: 'found', names: [{ name: 'mail.example.com', confirmed: true }] },
    ],
    [
      'a name that leads elsewhere',
      { [pointer]: ptr('mail.google.com'), 'mail.google.com': host('mail.google.com', '9.9.9.9') },
      { outcome: 'found', names: [{ name: 'mail.google.com', confirmed: false }] },
    ],
    [
      'a name that does not exist',
      { [pointer]: ptr('mail.example.com') },
      { outcome: 'found', names: [{ name: 'mail.example.com', confirmed: false }] },
    ],
    [
      'a name that could not be looked up',
      { [pointer]: ptr('mail.example.com'), 'mail.example.com': { rcode: 2 } },
      { outcome: 'found', names: [{ name: 'mail.example.com', confirmed: null }] },
    ],
    [
      'the name that resolves back before the others',
      {
        [pointer]: ptr('a.example.com', 'b.example.com', 'c.example.com'),
        'b.example.com': { drop: true },
        'c.example.com': host('c.example.com', ip),
      },
      {
        names: [
          { name: 'c.example.com', confirmed: true },
          { name: 'b.example.com', confirmed: null },
          { name: 'a.example.com', confirmed: false },
        ],
      },
    ],
    ['no PTR', { [pointer]: { rcode: 3 } }, { outcome: 'none' }],
    ['an empty PTR', { [pointer]: {} }, { outcome: 'none' }],
    [
      'names that no host can have',
      { [pointer]: ptr('a_b.example.com', 'localhost', '203.0.113.5', '-x.example.com') },
      { outcome: 'none' },
    ],
    ['SERVFAIL', { [pointer]: { rcode: 2 } }, { outcome: 'failed', failure: 'servfail' }],
    ['silence', { [pointer]: { drop: true } }, { outcome: 'failed', failure: 'timeout' }],
  ])('%s', async (_, scenario, expected) => {
    const { client } = await clientOf(scenario);
    expect(await lookUpReverse(client, ip)).toMatchObject(expected);
  });

  it('looks at three names of many', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `h${i}.example.com`);
    const { client, server } = await clientOf({ [pointer]: ptr(...names) });
    const fact = await lookUpReverse(client, ip);
    expect(fact.outcome === 'found' && fact.names).toHaveLength(3);
    expect(server.seen).toHaveLength(4);
  });

  it('confirms IPv6 by AAAA, however it is written', async () => {
    const name = 'six.example.com';
    const { client } = await clientOf({
      [reverseName(ip6)!]: { answers: [{ type: 'PTR', name: reverseName(ip6)!, ttl: 60, data: name }] },
      [name]: { answers: [{ type: 'AAAA', name, ttl: 60, data: '2620:FE:0:0::17' }] },
    });
    expect(await lookUpReverse(client, '2620:00FE::0017')).toEqual({
      outcome: 'found',
      names: [{ name, confirmed: true }],
    });
  });

  it.each(['10.0.0.1', '127.0.0.1', '::ffff:192.168.0.1', 'fe80::1', 'nonsense', ''])(
    'does not ask about %j',
    async (text) => {
      const { client, server } = await clientOf({});
      expect(await lookUpReverse(client, text)).toEqual({ outcome: 'not_public' });
      expect(server.seen).toEqual([]);
    },
  );
});

describe('a blocklist’s zone', () => {
  const asked = '17.9.9.9.bl.example';
  const says = (addresses: string[], texts: string[] = []): DnsScenario => ({
    [asked]: ({ type }) => ({
      answers:
        type === 'A'
          ? addresses.map((data): Answer => ({ type: 'A', name: asked, ttl: 60, data }))
          : texts.map((data): Answer => ({ type: 'TXT', name: asked, ttl: 60, data: [Buffer.from(data)] })),
    }),
  });

  it.each<[string, DnsScenario, object, string[]]>([
    ['not listed', {}, { outcome: 'nxdomain' }, ['A']],
    [
      'listed, with its words',
      says(['127.0.0.4', '127.0.0.2'], ['because']),
      { outcome: 'addresses', addresses: ['127.0.0.2', '127.0.0.4'], texts: ['because'] },
      ['A', 'TXT'],
    ],
    ['listed, without words', says(['127.0.0.2']), { texts: [] }, ['A', 'TXT']],
    ['a refusal', says(['127.255.255.254'], ['go away']), { addresses: ['127.255.255.254'], texts: [] }, ['A']],
    ['a parked domain', says(['203.0.113.80'], ['buy me']), { addresses: ['203.0.113.80'], texts: [] }, ['A']],
    ['REFUSED', { '*': { rcode: 5 } }, { outcome: 'failed', failure: 'refused' }, ['A']],
    ['silence', { '*': { drop: true } }, { outcome: 'failed', failure: 'timeout' }, ['A']],
    ['SERVFAIL', { '*': { rcode: 2 } }, { outcome: 'failed', failure: 'servfail' }, ['A']],
  ])('%s', async (_, scenario, expected, types) => {
    const { client, server } = await clientOf(scenario);
    expect(await askZone(client, 'bl.example', ip)).toMatchObject(expected);
    expect(server.seen.map(({ type }) => type)).toEqual(types);
  });

  it('is asked for nibbles of IPv6', async () => {
    const { client, server } = await clientOf({});
    await askZone(client, 'bl.example', '2620:fe::17');
    expect(server.seen[0]?.name).toBe('7.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.e.f.0.0.0.2.6.2.bl.example');
  });

  it('is not asked about private addresses, save canaries', async () => {
    const { client, server } = await clientOf({});
    expect(await askZone(client, 'bl.example', '192.168.1.1')).toMatchObject({ failure: 'not_public' });
    expect(await askCanary(client, 'bl.example', '127.0.0.1')).toEqual({ outcome: 'nxdomain' });
    await askCanary(client, 'bl.example', '127.0.0.1');
    await askCanary(client, 'bl.example', '::ffff:7f00:2');
    expect(server.seen.map(({ name }) => name)).toEqual([
      '1.0.0.127.bl.example',
      '1.0.0.127.bl.example',
      '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.bl.example',
    ]);
  });
});
