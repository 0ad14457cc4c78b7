import { describe, expect, it } from 'vitest';
import { policyText, publishedPolicy, withPublished } from '../src/texts/policy.ts';

describe('the policy of a domain', () => {
  it.each([
    [{ policy: 'none', isUnpublished: false }, 'none'],
    [{ policy: 'none', isUnpublished: true }, 'no record'],
    [{ policy: '', isUnpublished: false }, 'none found'],
    [{ policy: 'reject', inherited_from: 'example.com', isUnpublished: false }, 'reject (of example.com)'],
  ])('%j is shown as %s', (card, expected) => {
    expect(policyText(card)).toBe(expected);
  });

  it('is that of the newest report no longer when the record is gone', () => {
    const cards = [
      { domain: 'a.example', policy: 'none' },
      { domain: 'b.example', policy: 'none' },
    ];
    const published = new Map([['b.example', { isUnpublished: true }]]);
    expect(withPublished(cards, published).map(policyText)).toEqual(['none', 'no record']);
  });

  it.each([
    [{ policy: 'reject' as const, isUnpublished: false }, 'reject'],
    [{ policy: 'reject' as const, inheritedFrom: 'example.com', isUnpublished: false }, 'reject (of example.com)'],
    [{ isUnpublished: true }, 'no record'],
    [{ isUnpublished: false }, 'none found'],
  ])('is what a check has read before the first report: %j', (published, expected) => {
    expect(policyText(publishedPolicy(published))).toBe(expected);
  });
});
