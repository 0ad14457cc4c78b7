import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  addDays,
  canonicalIp,
  dayOf,
  idText,
  instantText,
  isDay,
  isDomainName,
  newId,
  normalizeDomain,
  parseId,
  printableText,
  rate,
  readDomainName,
  storableDay,
  storableText,
  WarningList,
  warningText,
} from '../src/index.ts';

describe('rates', () => {
  it.each([
    [2, 3, 66.67],
    [1, 8, 12.5],
    [5, 16, 31.25],
    [0, 0, 0],
    [125, 160, 78.13],
    [19_999, 20_000, 99.99],
    [199_999, 200_000, 99.99],
    [1, 1_000_000, 0.01],
    [7, 7, 100],
  ])('%i of %i is %d %%', (part, whole, expected) => {
    expect(rate(part, whole)).toBe(expected);
  });
});

describe('ids', () => {
  it('go to Crockford Base32 and back', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(parseId(idText(id))).toBe(id);
      }),
    );
  });
  it('are ordered by time', () => {
    expect(newId(1_000) < newId(2_000)).toBe(true);
    const ofOneMillisecond = Array.from({ length: 1_000 }, () => newId(3_000));
    expect(ofOneMillisecond.toSorted()).toEqual(ofOneMillisecond);
  });
  it('are read in any case, with hyphens, with I and L as 1 and O as 0', () => {
    const id = '00000000-0000-7000-8000-000000000421';
    const text = idText(id);
    expect(parseId(text.toLowerCase().replaceAll('1', 'l').replaceAll('0', 'o'))).toBe(id);
    expect(parseId(`${text.slice(0, 10)}-${text.slice(10)}`)).toBe(id);
  });
  it.each(['', 'U'.repeat(26), '0'.repeat(25), '0'.repeat(27), `8${'0'.repeat(25)}`, `${'0'.repeat(25)}*`])(
    'refuses %j',
    (text) => {
      expect(parseId(text)).toBeUndefined();
    },
  );
});

describe('domain names', () => {
  it.each([
    [' Example.COM. ', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['', ''],
    ['exa mple.com', 'exa mple.com'],
    ['ex%61mple.com', 'ex%61mple.com'],
    ['Good.example/x', 'Good.example/x'],
    ['Straße.example', 'xn--strae-oqa.example'],
    ['１２７.0.0.1', '127.0.0.1'],
  ])('%j is compared as %j', (text, expected) => {
    expect(normalizeDomain(text)).toBe(expected);
  });
  it.each([...'/\\?#@:%[]|^`{}<>"\'!$&()*+,;=~ \t\n\v\0\u007f\u0085\u00a0\u00ad\u200d\u3002\uff0e\uff0f\u2100\u2488'])(
    'is none with %j in it',
    (character) => {
      expect(readDomainName(`good.example${character}x`)).toBeUndefined();
      expect(readDomainName(`x${character}good.example`)).toBeUndefined();
    },
  );
  it.each([
    ['\t example.com \r\n', 'example.com'],
    ['\u00a0example.com', undefined],
    ['example.com..', undefined],
    ['_dmarc.EXAMPLE.com', '_dmarc.example.com'],
    ['ﷺ.example', undefined],
    ['\ud800.example', undefined],
    ['ü.xn--ü.example', undefined],
    ['a'.repeat(254), undefined],
    ['ü'.repeat(2_000), undefined],
    ['', ''],
  ])('%j is read as %j', (text, expected) => {
    expect(readDomainName(text)).toBe(expected);
  });
  it('is read alike however often it is read', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.domain(), fc.string()), (text) => {
        const name = readDomainName(text);
        if (name === undefined) return;
        expect(readDomainName(name)).toBe(name);
        expect(name).toMatch(/^[a-z0-9._-]*$/);
      }),
    );
  });
  it.each([
    ['example.com', true],
    ['a.b-c.example', true],
    ['xn--bcher-kva.example', true],
    ['example', false],
    ['192.0.2.1', false],
    ['_dmarc.example.com', false],
    ['-a.example', false],
    [`${'a'.repeat(64)}.com`, false],
    [`${'a.'.repeat(130)}com`, false],
    ['a..b', false],
  ])('%j is one: %s', (name, expected) => {
    expect(isDomainName(name)).toBe(expected);
  });
});

describe('addresses', () => {
  it.each([
    ['192.0.2.5', '192.0.2.5'],
    ['::ffff:192.0.2.5', '192.0.2.5'],
    ['2001:DB8:0:0::A', '2001:db8::a'],
    ['::1', '::1'],
    ['010.0.0.1', undefined],
    ['fe80::1%eth0', undefined],
    ['192.0.2.0/24', undefined],
    ['localhost', undefined],
    ['', undefined],
  ])('%j is %j', (text, expected) => {
    expect(canonicalIp(text)).toBe(expected);
  });
});

describe('days and instants', () => {
  it.each([
    ['2025-02-28', true],
    ['2024-02-29', true],
    ['2025-02-30', false],
    ['2025-2-3', false],
    ['2025-01-01T00:00:00Z', false],
  ])('%s is a day: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });
  it('are in UTC', () => {
    expect(dayOf(1_735_689_599)).toBe('2024-12-31');
    expect(addDays('2024-12-31', 1)).toBe('2025-01-01');
    expect(addDays('0001-01-20', -30)).toBe('0001-01-01');
    expect(['0000-12-31', '0001-01-02'].map(storableDay)).toEqual(['0001-01-01', '0001-01-02']);
    expect(addDays('9999-12-30', 30)).toBe('9999-12-31');
    expect(instantText(new Date(1_735_689_600_999))).toBe('2025-01-01T00:00:00Z');
  });
});

describe('strangers’ text', () => {
  it('is stored without what Postgres or JSON cannot hold', () => {
    expect(storableText('a\u0000b\u0008c\td\ne\uD800')).toBe('abc\td\ne\uFFFD');
  });
  it('is shown on one line, without what a terminal acts on', () => {
    expect(printableText('a\u001B[31mred\r\nnext\u202Eevil')).toBe('a [31mred next evil');
    expect(printableText('x'.repeat(300), 10)).toBe('xxxxxxxxx…');
  });
});

it('lists each warning once, with the first records that have it', () => {
  const list = new WarningList();
  for (const record of [3, 3, 4, 5, 6, 7, 8, 9]) list.add('count_zero', null, record);
  list.add('version_missing');
  list.add('org_name_missing', 'report_metadata/org_name');
  expect(list.toArray().map(warningText)).toEqual([
    'count_zero: record 3, 4, 5, 6, 7 and 2 more',
    'version_missing',
    'org_name_missing: report_metadata/org_name',
  ]);
});
