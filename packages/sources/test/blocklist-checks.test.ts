import { describe, expect, it } from 'vitest';
import {
  afterResult,
  afterTest,
  builtInLists,
  canariesOf,
  deservesFullCheck,
  interpretAnswer,
  listsToAsk,
  untestedZone,
  type Blocklist,
  type ZoneAnswer,
  type ZoneHealth,
} from '../src/index.ts';

const list = (id: string) => builtInLists.find((list) => list.id === id)!;
const now = new Date('2026-03-01T10:00:00Z');
const listedAnswer: ZoneAnswer = { outcome: 'addresses', addresses: ['127.0.0.2'] };
const nothing: ZoneAnswer = { outcome: 'nxdomain' };

/** Runs the tests of a zone once; `answer` returns the zone's answer for an address. */
function tested(health: ZoneHealth, zone: Blocklist, answer: (address: string) => ZoneAnswer): ZoneHealth {
  const answers = canariesOf(zone, 'v4').map((canary) => ({
    canary,
    result: interpretAnswer(zone, answer(canary.address)),
  }));
  return afterTest(health, answers, now);
}
const works = (address: string) => (address === '127.0.0.2' ? listedAnswer : nothing);

describe('the lists of a check', () => {
  it('are the ingest set at first, for IPv4', () => {
    expect(listsToAsk(builtInLists, '192.0.2.1', 'ingest').map(({ zone }) => zone)).toEqual([
      'zen.spamhaus.org',
      'v4.fullbogons.cymru.com',
      'b.barracudacentral.org',
      'bl.spamcop.net',
      'psbl.surriel.com',
      'dnsbl-1.uceprotect.net',
    ]);
  });

  it('are all that can be asked without key, in full', () => {
    const ids = listsToAsk(builtInLists, '192.0.2.1', 'full').map(({ list }) => list.id);
    expect(ids).toHaveLength(19);
    expect(ids).not.toContain('abusix');
    expect(ids).not.toContain('feodo-tracker');
  });

  it('are those that know IPv6, for IPv6', () => {
    expect(listsToAsk(builtInLists, '2001:db8::1', 'full').map(({ zone }) => zone)).toEqual([
      'zen.spamhaus.org',
      'v6.fullbogons.cymru.com',
    ]);
  });

  it.each([
    [{ messages: 1, failing: 1 }, true],
    [{ messages: 99, failing: 0 }, false],
    [{ messages: 100, failing: 0 }, true],
  ])('%j deserves a full check: %s', (source, expected) => expect(deservesFullCheck(source)).toBe(expected));
});

describe('a zone is tested', () => {
  it('with the addresses of RFC 5782 and a random one', () => {
    expect(canariesOf(list('psbl'), 'v4')).toEqual([
      { address: '127.0.0.2', expect: 'listed' },
      { address: '127.0.0.1', expect: 'not_listed' },
      { address: 'random', expect: 'not_listed' },
    ]);
    expect(canariesOf(list('spamhaus-zen'), 'v6').map(({ address }) => address)).toEqual([
      '::ffff:7f00:2',
      '::ffff:7f00:1',
      'random',
    ]);
    expect(canariesOf(list('cymru-fullbogons'), 'v4').map(({ address }) => address)).toEqual(['127.0.0.2', '8.8.8.8']);
  });

  it('and works when it answers as it should', () => {
    const health = tested(untestedZone(now), list('psbl'), works);
    expect(health).toMatchObject({ state: 'working', nextTestAt: new Date('2026-03-01T11:00:00Z') });
    expect(health).not.toHaveProperty('reason');
  });

  it.each<[string, (address: string) => ZoneAnswer, RegExp]>([
    ['it is dead', () => nothing, /does not list 127\.0\.0\.2/],
    ['it lists the world', () => listedAnswer, /lists 127\.0\.0\.1/],
    ['it refuses', () => ({ outcome: 'addresses', addresses: ['127.255.255.254'] }), /refused with 127\.255\.255\.254/],
    ['it is parked', () => ({ outcome: 'addresses', addresses: ['203.0.113.80'] }), /answered 203\.0\.113\.80/],
    ['it is silent', () => ({ outcome: 'failed', failure: 'timeout' }), /timeout/],
  ])('and suspended when %s', (_, answer, reason) => {
    const health = tested(tested(untestedZone(now), list('psbl'), works), list('psbl'), answer);
    expect(health).toMatchObject({ state: 'suspended', nextTestAt: new Date('2026-03-01T10:05:00Z') });
    expect(health.reason).toMatch(reason);
    expect(tested(health, list('psbl'), works)).toMatchObject({ state: 'working' });
  });

  it('and suspended when random addresses are listed three runs in a row', () => {
    const wild = (address: string) => (address === 'random' ? listedAnswer : works(address));
    const twice = tested(tested(untestedZone(now), list('psbl'), wild), list('psbl'), wild);
    expect(twice).toMatchObject({ state: 'working', randomListings: 2 });
    expect(tested(twice, list('psbl'), works).randomListings).toBe(0);
    expect(tested(twice, list('psbl'), wild)).toMatchObject({
      state: 'suspended',
      reason: 'It lists any address.',
      listsWrongly: true,
    });
  });

  it('and what it listed means nothing when it listed what no list may, until it works again', () => {
    const wrong = tested(untestedZone(now), list('psbl'), () => listedAnswer);
    expect(wrong).toMatchObject({ state: 'suspended', listsWrongly: true });
    const silent = tested(wrong, list('psbl'), () => ({ outcome: 'failed', failure: 'timeout' }));
    expect(silent).toMatchObject({ state: 'suspended', listsWrongly: true });
    expect(tested(silent, list('psbl'), works)).not.toHaveProperty('listsWrongly');
    const refusing = tested(untestedZone(now), list('psbl'), () => ({ outcome: 'failed', failure: 'refused' }));
    expect(refusing).not.toHaveProperty('listsWrongly');
  });

  it('between tests suspended when it refuses five times in a row', () => {
    const refused = interpretAnswer(list('psbl'), { outcome: 'failed', failure: 'refused' });
    const clean = interpretAnswer(list('psbl'), nothing);
    let health = tested(untestedZone(now), list('psbl'), works);
    for (let i = 0; i < 4; i += 1) health = afterResult(health, refused, now);
    expect(afterResult(health, clean, now)).toMatchObject({ state: 'working', refusals: 0 });
    expect(afterResult(health, refused, now)).toMatchObject({ state: 'suspended' });
  });
});
