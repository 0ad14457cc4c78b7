import { describe, expect, it } from 'vitest';
import { expandDomain } from '../src/spf/expand-domain.ts';

const LONG = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}`;

describe('the name of a term', () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, 'mail-1.part.example.com'],
    ['_spf.example.net', '_spf.example.net'],
    ['%{d}', 'mail-1.part.example.com'],
    ['_spf.%{D}', '_spf.mail-1.part.example.com'],
    ['_spf.%{d2}', '_spf.example.com'],
    ['_spf.%{d9}', '_spf.mail-1.part.example.com'],
    ['%{dr}.x.test', 'com.example.part.mail-1.x.test'],
    ['%{d1r}.x.test', 'mail-1.x.test'],
    ['%{dr-}.x.test', '1.part.example.com.mail.x.test'],
    ['%{d2r.-}.x.test', '1.mail.x.test'],
    ['%{o}.%{d2}.test', 'example.org.example.com.test'],
    ['a%%b%_c%-.test', 'a%b c%20.test'],
    ['%{i}._spf.%{d}', undefined],
    ['%{ir}.%{v}._spf.%{d2}', undefined],
    ['%{l}.x.test', undefined],
    ['%{s}.x.test', undefined],
    ['%{h}.x.test', undefined],
    ['%{p}.x.test', undefined],
    [`x.%{d2}.${LONG.slice(64)}.test`, `x.example.com.${LONG.slice(64)}.test`],
    [`${LONG}.%{d2}`, `${LONG.slice(64)}.example.com`],
  ])('%s is %s', (spec, expected) =>
    expect(expandDomain(spec, ['example.org', 'mail-1.part.example.com'])).toBe(expected),
  );

  it('takes no longer for a long name where a stranger repeats a delimiter', () => {
    const spec = `%{d${'.-'.repeat(25_000)}}.test`;
    const timeOf = (domain: string) => {
      const runs = Array.from({ length: 3 }, () => {
        const started = process.threadCpuUsage();
        for (let i = 0; i < 5; i += 1) expandDomain(spec, [domain]);
        const { user, system } = process.threadCpuUsage(started);
        return user + system;
      });
      return Math.min(...runs);
    };
    const short = Math.max(timeOf('a.test'), 10_000); // the clock of a processor ticks at such a distance
    expect(timeOf(`${'a.'.repeat(120)}test`)).toBeLessThan(6 * short); // with a pass for each it takes 40 times as long
  });

  it('is split at each of several delimiters, whatever their order and number', () =>
    expect(expandDomain('%{d1r-.-..}.test', ['mail-1.part.example.com'])).toBe('mail.test'));
});
