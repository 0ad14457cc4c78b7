import { reputationServer, type ReputationReply, type ReputationServer } from '@dmarc-ledger/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { abuseCategoryName, abuseIpdb, dailyBudget, noReputation, type AbuseIpdbOptions } from '../src/index.ts';

let server: ReputationServer;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await reputationServer();
});
afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close();
  server.seen.length = 0;
});
afterAll(() => server[Symbol.asyncDispose]());

const now = new Date('2026-03-01T10:00:00Z');
const ip = '9.9.9.17';
function provider(reply?: ReputationReply, options: Partial<AbuseIpdbOptions> = {}) {
  if (reply) server.replies[ip] = reply;
  const made = abuseIpdb({ key: 'secret', url: server.url, timeoutMs: 10_000, now: () => now, ...options });
  open.push(made);
  return made;
}

const tooLarge = { status: 200, body: `"${'x'.repeat(4_200_000)}"` };

describe('a check', () => {
  it('asks with the key, verbosely, and reads every field', async () => {
    const data = {
      ipAddress: ip,
      isPublic: true,
      abuseConfidenceScore: 87,
      totalReports: 12,
      lastReportedAt: '2026-02-28T23:59:59.900+00:00',
      usageType: 'Data Center/Web Hosting/Transit',
      isp: 'Example Hosting',
      countryCode: 'NL',
      countryName: 'Netherlands',
      hostnames: ['Mail.Example.com', 'not a name'],
      isWhitelisted: false,
      isTor: true,
      reports: [{ categories: [18, 22] }, { categories: [22, 11, 99] }, { categories: 'x' }, null],
    };
    expect(await provider({ data }).lookUp(ip)).toEqual({
      outcome: 'found',
      facts: {
        abuseScore: 87,
        abuseReports: 12,
        abuseCategories: ['Brute-Force', 'Category 99', 'Email Spam', 'SSH'],
        abuseLastReported: new Date('2026-02-28T23:59:59Z'),
        usageType: 'Data Center/Web Hosting/Transit',
        isp: 'Example Hosting',
        countryCode: 'NL',
        country: 'Netherlands',
        hostNames: ['mail.example.com'],
        whitelisted: false,
        tor: true,
      },
    });
    expect(server.seen).toEqual([
      { ip, key: 'secret', path: '/api/v2/check', parameters: { ipAddress: ip, maxAgeInDays: '90', verbose: '' } },
    ]);
  });

  it('does with what little there is', async () => {
    const data = { abuseConfidenceScore: 0, lastReportedAt: null, usageType: null, hostnames: null, reports: null };
    expect(await provider({ data }).lookUp(ip)).toEqual({
      outcome: 'found',
      facts: { abuseScore: 0, abuseReports: 0, abuseCategories: [], hostNames: [], whitelisted: false, tor: false },
    });
  });

  it.each<[string, ReputationReply, object]>([
    ['no score', { data: { totalReports: 3 } }, { outcome: 'failed', failure: 'the answer has no score' }],
    ['a score of 101', { data: { abuseConfidenceScore: 101 } }, { outcome: 'failed' }],
    ['a score in words', { data: { abuseConfidenceScore: '50' } }, { outcome: 'failed' }],
    ['no JSON', { status: 200, body: '<html>' }, { outcome: 'failed', failure: 'the answer is not JSON' }],
    ['an error of the service', { status: 500 }, { outcome: 'failed', failure: 'status 500' }],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1/' } },
      { outcome: 'failed', failure: 'status 302' },
    ],
    ['an endless body', tooLarge, { outcome: 'failed' }],
    ['an address it does not rate', { status: 422, body: '{}' }, { outcome: 'not_available' }],
    [
      'a pause in seconds',
      { status: 429, headers: { 'retry-after': '90' } },
      { outcome: 'refused', until: new Date('2026-03-01T10:01:30Z') },
    ],
    [
      'a pause until a date',
      { status: 429, headers: { 'retry-after': 'Sun, 01 Mar 2026 12:00:00 GMT' } },
      { outcome: 'refused', until: new Date('2026-03-01T12:00:00Z') },
    ],
    [
      'a pause until the reset',
      { status: 429, headers: { 'x-ratelimit-reset': '1772413200' } },
      { outcome: 'refused', until: new Date('2026-03-02T01:00:00Z') },
    ],
    [
      'a pause without end',
      { status: 429, headers: { 'retry-after': '99999999' } },
      { until: new Date('2026-03-02T10:00:00Z') },
    ],
    ['a pause without time', { status: 429 }, { outcome: 'refused', until: new Date('2026-03-01T11:00:00Z') }],
    ['a key that is not accepted', { status: 401 }, { outcome: 'refused', until: new Date('2026-03-01T11:00:00Z') }],
  ])('meets %s', async (_, reply, expected) => {
    expect(await provider(reply).lookUp(ip)).toMatchObject(expected);
  });

  it('gets the score of an address whose reports are too many to read, by a second call without them', async () => {
    const made = provider({ verbose: tooLarge, brief: { data: { abuseConfidenceScore: 100, totalReports: 9_000 } } });
    const fact = await made.lookUp(ip);
    expect(fact).toMatchObject({ facts: { abuseScore: 100, abuseReports: 9_000, abuseCategories: [] } });
    expect(server.seen.map(({ parameters }) => 'verbose' in parameters)).toEqual([true, false]);
  });

  it('keeps to the budget with a second call too', async () => {
    const brief = { data: { abuseConfidenceScore: 100 } };
    const made = provider({ verbose: tooLarge, brief }, { budget: dailyBudget(1, () => now) });
    expect(await made.lookUp(ip)).toMatchObject({ outcome: 'refused', until: new Date('2026-03-02T00:00:00Z') });
    expect(server.seen).toHaveLength(1);
  });

  it('is not repeated more than once, whatever comes', async () => {
    expect(await provider(tooLarge).lookUp(ip)).toMatchObject({ outcome: 'failed' });
    expect(server.seen).toHaveLength(2);
  });

  it('meets silence', async () => {
    const silent = provider({ status: 200, delayMs: 2_500 }, { timeoutMs: 1_000 });
    expect(await silent.lookUp(ip)).toMatchObject({ outcome: 'failed', failure: 'timeout' });
  });

  it('meets a closed port', async () => {
    expect(await provider(undefined, { url: 'http://127.0.0.1:9' }).lookUp(ip)).toMatchObject({ outcome: 'failed' });
  });

  it.each(['10.1.2.3', '127.0.0.1', '2001:db8::1', 'nonsense'])('is not made of %s', async (text) => {
    expect(await provider().lookUp(text)).toMatchObject({ outcome: 'not_available' });
    expect(server.seen).toEqual([]);
  });

  it('asks for IPv6 in its canonical form', async () => {
    await provider().lookUp('2620:00FE::0017');
    expect(server.seen[0]?.ip).toBe('2620:fe::17');
  });

  it('leaves a service alone that asked for it', async () => {
    const made = provider({ status: 429, headers: { 'retry-after': '90' } });
    await made.lookUp(ip);
    expect(await made.lookUp('9.9.9.18')).toMatchObject({
      outcome: 'refused',
      until: new Date('2026-03-01T10:01:30Z'),
    });
    expect(server.seen).toHaveLength(1);
  });

  it('keeps to what the service says is left', async () => {
    const headers = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1772413200' };
    const made = provider({ status: 200, headers, body: '{"data":{"abuseConfidenceScore":1}}' });
    expect(await made.lookUp(ip)).toMatchObject({ outcome: 'found' });
    expect(await made.lookUp(ip)).toMatchObject({ outcome: 'found' });
    expect(await made.lookUp(ip)).toMatchObject({ outcome: 'refused' });
  });
});

it('a service that is said to be full until a distant year is asked again the next day', async () => {
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '999999999999' };
  const made = provider({ status: 200, headers, body: '{"data":{"abuseConfidenceScore":1}}' });
  expect(await made.lookUp(ip)).toMatchObject({ outcome: 'found' });
  expect(await made.lookUp(ip)).toMatchObject({ outcome: 'refused', until: new Date('2026-03-02T10:00:00Z') });
});

describe('a budget', () => {
  it('is spent within a UTC day, and whole again on the next', async () => {
    let at = new Date('2026-03-01T23:59:00Z');
    const budget = dailyBudget(2, () => at);
    expect([await budget.take(), await budget.take()]).toEqual([undefined, undefined]);
    expect(await budget.take()).toEqual(new Date('2026-03-02T00:00:00Z'));
    expect(budget.remaining).toBe(0);
    at = new Date('2026-03-02T00:00:00Z');
    expect(await budget.take()).toBeUndefined();
    expect(budget.remaining).toBe(1);
  });
});

it.each([
  [1, 'DNS Compromise'],
  [9, 'Open Proxy'],
  [13, 'VPN IP'],
  [18, 'Brute-Force'],
  [23, 'IoT Targeted'],
  [24, 'Category 24'],
  [0, 'Category 0'],
])('category %i is %s', (number, name) => expect(abuseCategoryName(number)).toBe(name));

it('without a key there is a provider that knows nothing', async () => {
  expect(await noReputation.lookUp(ip)).toEqual({ outcome: 'not_configured' });
});
