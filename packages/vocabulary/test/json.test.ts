import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonError, parseJson, type Json } from '../src/index.ts';

describe('JSON of strangers', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(plain(parseJson(Buffer.from(text)).value)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is refused where JSON.parse refuses it', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '1',
      '-',
      '.',
      'e',
      'null',
      'NaN',
      ' ',
      '\n',
      '"a"',
      '\\u12',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect(isJson(() => parseJson(Buffer.from(pieces.join(''))))).toBe(isJson(() => JSON.parse(pieces.join(''))));
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps the order of names, and gives no name a meaning', () => {
    const { value } = parseJson(Buffer.from('{"b":1,"2":2,"1":3,"__proto__":4,"constructor":5}'));
    expect([...(value as ReadonlyMap<string, Json>).keys()]).toEqual(['b', '2', '1', '__proto__', 'constructor']);
  });

  it.each([
    ['a name given twice', Buffer.from('{"a":1,"a":2}'), 2, ['json_duplicate_name']],
    ['a byte order mark', Buffer.from('\ufeff{"a":1}'), 1, []],
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1'), 'é', ['json_encoding_mislabelled']],
  ])('reads %s', (_, bytes, a, codes) => {
    const { value, warnings } = parseJson(bytes);
    expect(value).toEqual(new Map([['a', a]]));
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['json_too_deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['json_too_deep', '{"a":'.repeat(100_000)],
    ['json_too_large', `[${'0,'.repeat(600_000)}0]`],
    ['json_truncated', '{"a": [1, 2'],
    ['json_truncated', '{"a": "b'],
    ['json_truncated', ''],
    ['json_malformed', '{"a": NaN}'],
    ['json_malformed', '{"a": 1,}'],
    ['json_malformed', '{"a": 1} {"b": 2}'],
    ['json_malformed', '"a\u0001b"'],
    ['json_malformed', '\ufeff\u0000'],
  ])('refuses with the code %s (%#)', (code, text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ code }));
  });

  it('takes no longer for a text made to be slow', () => {
    const started = performance.now();
    for (const piece of ['"', '\\', '\\"', ' ', '1', '{'])
      isJson(() => parseJson(Buffer.from(`"${piece.repeat(1_000_000)}`)));
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

function plain(value: Json): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const object = {};
  for (const [name, item] of value) {
    Object.defineProperty(object, name, { value: plain(item), enumerable: true, configurable: true, writable: true });
  }
  return object;
}

function isJson(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof JsonError || error instanceof SyntaxError) return false;
    throw error;
  }
}
