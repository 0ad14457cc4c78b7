import { describe, expect, it } from 'vitest';
import { policyText, publishedPolicy, withPublished } from '../src/texts/policy.ts';

const REJECT = { p: 'reject' as const, sp: undefined, pct: 100, t: false };

describe('the policy of a domain', () => {
  it.each([
    [{ policy: 'none', isUnpublished: false }, 'none'],
    [{ policy: 'none', isUnpublished: true }, 'no record'],
    [{ policy: 'reject', isUnpublished: false, isBroken: true }, 'no valid record'],
    [{ policy: '', isUnpublished: false }, 'none found'],
    [{ policy: 'reject', inherited_from: 'example.com', isUnpublished: false }, 'reject (of example.com)'],
  ])('%j is shown as %s', (card, expected) => {
    expect(policyText(card)).toBe(expected);
  });

  it('is that of the newest report no longer when the record is gone or broken', () => {
    const cards = [
      { domain: 'a.example', policy: 'none' },
      { domain: 'b.example', policy: 'none' },
      { domain: 'c.example', policy: 'reject' },
    ];
    const published = new Map([
      ['b.example', { isUnpublished: true }],
      ['c.example', { isUnpublished: false, fault: '2 DMARC records are published.' }],
    ]);
    expect(withPublished(cards, published).map(policyText)).toEqual(['none', 'no record', 'no valid record']);
  });

  it.each([
    [{ policy: REJECT, isUnpublished: false }, 'reject'],
    [{ policy: REJECT, inheritedFrom: 'example.com', isUnpublished: false }, 'reject (of example.com)'],
    [{ isUnpublished: true }, 'no record'],
    [{ isUnpublished: false, fault: 'It cannot be parsed.' }, 'no valid record'],
    [{ isUnpublished: false }, 'none found'],
  ])('is what a check has read before the first report: %j', (published, expected) => {
    expect(policyText(publishedPolicy(published))).toBe(expected);
  });
});
