import { describe, expect, it } from 'vitest';
import { readMtaStsPolicy } from '../src/records/mta-sts-policy.ts';
import { readTagList } from '../src/records/tag-list.ts';
import { readSpf } from '../src/spf/read-spf.ts';

/** A text record may have 64 kB, and any zone may publish one. */
const LONG = 60_000;
const space = ' '.repeat(LONG);

/** So often, an expression that goes over a run once for each of its characters takes minutes. */
const many = <Value>(value: Value) => Array.from({ length: 60 }, () => value);

describe('a record as long as DNS allows is read at once', () => {
  it.each([
    ['inside a value', `v=DMARC1; p=none; x=a${space}b; y=1`, `a${space}b`],
    ['around a value', `v=DMARC1; p=none; x=${space}a${space}; y=1`, 'a'],
    ['before the sign', `v=DMARC1; p=none; x${space}=a; y=1`, 'a'],
    ['inside a name', `v=DMARC1; p=none; x${space}z=a; y=1`, undefined],
  ])('with a run of spaces %s', (_, text, value) => {
    for (const each of many(text)) {
      const { tags } = readTagList(each);
      expect([tags.get('x'), tags.get('y')]).toEqual([value, '1']);
    }
  });

  it.each([
    ['letters', 'a'.repeat(LONG), true],
    ['digits', '1'.repeat(LONG), false],
    ['letters and no letter at last', `${'a'.repeat(LONG)}!`, false],
    ['hyphens', 'a-'.repeat(LONG / 2), false],
    ['hyphens and a letter at last', `${'a-'.repeat(LONG / 2)}a`, true],
    ['dots', `${'a.'.repeat(LONG / 2)}!`, false],
  ])('with a name in SPF that ends in %s', (_, end, isRead) => {
    for (const each of many(`v=spf1 a:x.${end} -all`)) expect('mechanisms' in readSpf(each)).toBe(isRead);
  });

  it('with a run of spaces in an MTA-STS policy', () => {
    const body = `version: STSv1\nmode:${space}none${space}\nmax_age: 86400\nnote: a${space}b`;
    for (const each of many(body)) expect(readMtaStsPolicy(each)).toEqual({ mode: 'none', maxAge: 86_400, mx: [] });
  });
});
