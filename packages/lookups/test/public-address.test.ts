import { describe, expect, it } from 'vitest';
import { isPublicAddress, randomPublicAddress, reversedLabels, reverseName } from '../src/index.ts';

describe('a public address', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2001:1::1',
    '2001:1::3',
    '2001:3::1',
    '2001:4:112::1',
    '2001:20::1',
    '2001:30::1',
    '2001:200::1',
    '2620:4f:8000::1',
    '3ffe:ffff::1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '::ffff:8.8.8.8',
    '::ffff:0808:0808',
    '2003::',
  ])('%s', (ip) => expect(isPublicAddress(ip)).toBe(true));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:A9FE:A9FE',
    '0:0:0:0:0:ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '100:0:0:1::1',
    '100:0:0:1:ffff:ffff:ffff:ffff',
    '2001:1::',
    '2001:1::4',
    '2001:2::1',
    '2001:2:0:ffff::1',
    '2001:10::1',
    '2001:1f:ffff::1',
    '2001:40::1',
    '2001:1ff:ffff::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '5f00::1',
    '5f00:ffff::1',
    '4000::1',
    '1fff::1',
    '8000::1',
    '::ffff:192.168.0.1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('is not %s', (ip) => expect(isPublicAddress(ip)).toBe(false));

  it.each([
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '8.8.8.08',
    '008.8.8.8',
    '8.8.8.8:53',
    '[2606:4700::1]',
    '2606:4700::1/64',
    ' 8.8.8.8',
    '8.8.8.8\n',
    '８.8.8.8',
    'localhost',
    'example.com',
    '1.2.3.4.5',
    '1.2.3',
    '',
  ])('is not %j, which is no address', (text) => expect(isPublicAddress(text)).toBe(false));

  it.each(['v4', 'v6'] as const)('is what a random one of %s is', (family) => {
    const addresses = Array.from({ length: 500 }, () => randomPublicAddress(family));
    expect(addresses.filter((ip) => !isPublicAddress(ip) || ip.includes(':') !== (family === 'v6'))).toEqual([]);
    expect(new Set(addresses).size).toBeGreaterThan(490);
  });
});

describe('the name of an address', () => {
  it.each([
    ['203.0.113.5', '5.113.0.203.in-addr.arpa'],
    ['2001:db8::567:89ab', 'b.a.9.8.7.6.5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['2001:DB8::', '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
    ['::ffff:7f00:2', '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa'],
    ['::ffff:127.0.0.2', '2.0.0.0.0.0.f.7.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa'],
  ])('%s: %s', (ip, name) => expect(reverseName(ip)).toBe(name));

  it.each(['', '1.2.3', '01.2.3.4', 'fe80::1%eth0', 'example.com'])('there is none of %j', (text) => {
    expect(reverseName(text)).toBeUndefined();
    expect(reversedLabels(text)).toBeUndefined();
  });
});
