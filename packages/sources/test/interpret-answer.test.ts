import { describe, expect, it } from 'vitest';
import { builtInLists, interpretAnswer, type ZoneAnswer } from '../src/index.ts';

const list = (id: string) => builtInLists.find((list) => list.id === id)!;
const answered = (...addresses: string[]): ZoneAnswer => ({ outcome: 'addresses', addresses });

describe('an answer of a zone', () => {
  it.each<[string, ZoneAnswer, string]>([
    ['psbl', { outcome: 'nxdomain' }, 'clean'],
    ['psbl', { outcome: 'nodata' }, 'clean'],
    ['psbl', { outcome: 'failed', failure: 'timeout' }, 'error'],
    ['psbl', { outcome: 'failed', failure: 'servfail' }, 'error'],
    ['psbl', { outcome: 'failed', failure: 'refused' }, 'error'],
    ['psbl', answered('127.0.0.2'), 'listed'],
    ['psbl', answered('127.0.1.77'), 'listed'],
    ['psbl', answered('127.0.0.1'), 'error'],
    ['psbl', answered('127.255.255.252'), 'error'],
    ['psbl', answered('127.255.255.254'), 'error'],
    ['psbl', answered('127.255.255.255'), 'error'],
    ['psbl', answered('203.0.113.9'), 'error'],
    ['psbl', answered('127.0.0.2', '203.0.113.9'), 'error'],
    ['psbl', answered('127.0.0.2', '127.255.255.254'), 'error'],
    ['psbl', answered(), 'error'],
    ['validity', answered('127.255.255.255'), 'error'],
    ['dronebl', answered('127.0.0.255'), 'listed'],
    ['tor-exits', answered('127.0.0.100'), 'listed'],
    ['spamhaus-zen', answered('127.0.0.12'), 'error'],
    ['spamhaus-zen', answered('127.0.0.8'), 'error'],
    ['spamhaus-zen', answered('127.0.0.1'), 'error'],
    ['hostkarma', answered('127.0.0.2'), 'listed'],
    ['hostkarma', answered('127.0.0.1'), 'clean'],
    ['hostkarma', answered('127.0.0.3'), 'clean'],
    ['hostkarma', answered('127.0.0.5'), 'clean'],
    ['hostkarma', answered('127.0.0.4'), 'error'],
    ['hostkarma', answered('127.0.0.1', '127.0.0.2'), 'listed'],
  ])('%s says %j: %s', (id, answer, status) => expect(interpretAnswer(list(id), answer).status).toBe(status));

  it.each([
    [['127.0.0.2'], 3, 'spam', 'SBL (spam sources)'],
    [['127.0.0.3'], 3, 'spam', 'CSS (low-reputation senders)'],
    [['127.0.0.4'], 3, 'exploited', 'XBL (exploited hosts)'],
    [['127.0.0.7'], 3, 'exploited', 'XBL (exploited hosts)'],
    [['127.0.0.9', '127.0.0.2'], 4, 'hijacked', 'DROP (hijacked or criminal space)'],
    [['127.0.0.30'], 4, 'malware_c2', 'BCL (botnet controllers)'],
    [['127.0.0.9', '127.0.0.30'], 4, 'malware_c2', 'BCL (botnet controllers), DROP (hijacked or criminal space)'],
    [['127.0.0.10'], 2, 'policy', 'PBL (end-user space, by its provider)'],
    [['127.0.0.11', '127.0.0.4'], 3, 'exploited', 'XBL (exploited hosts)'],
    [['127.0.0.2', '127.0.0.3'], 3, 'spam', 'SBL (spam sources), CSS (low-reputation senders)'],
  ])('ZEN says %j: tier %i, %s', (addresses, tier, category, reason) => {
    const result = interpretAnswer(list('spamhaus-zen'), answered(...addresses));
    expect(result).toMatchObject({ status: 'listed', tier, category, reason });
  });

  it('gives the list’s own words as reason where the code has no meaning', () => {
    const texts = ['Listed\nin PSBL, see', 'http://psbl.org/listing?ip=192.0.2.1'];
    const result = interpretAnswer(list('psbl'), { outcome: 'addresses', addresses: ['127.0.0.2'], texts });
    const words = 'Listed in PSBL, see http://psbl.org/listing?ip=192.0.2.1';
    expect(result).toMatchObject({ tier: 2, reason: words, details: words, delistUrl: 'https://psbl.org/remove' });
    expect(interpretAnswer(list('psbl'), answered('127.0.0.2'))).not.toHaveProperty('reason');
  });

  it('notes unknown codes, beside a known one or alone', () => {
    const zen = list('spamhaus-zen');
    expect(interpretAnswer(zen, answered('127.0.0.2', '127.0.0.99'))).toMatchObject({
      status: 'listed',
      unknownCodes: ['127.0.0.99'],
    });
    expect(interpretAnswer(zen, answered('127.0.0.99'))).toMatchObject({ failure: 'answered 127.0.0.99' });
  });

  it('knows which lists receivers enforce', () => {
    const enforced = builtInLists.filter((list) => interpretAnswer(list, { outcome: 'nxdomain' }).enforced);
    expect(enforced.map(({ id }) => id)).toEqual(['spamhaus-zen', 'barracuda']);
  });
});
