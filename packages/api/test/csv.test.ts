import { describe, expect, it } from 'vitest';
import { csvLine } from '../src/http/csv.ts';

describe('a line of CSV', () => {
  it.each([
    ['a plain text', 'mail.example', 'mail.example'],
    ['a formula', '=cmd|"x"', `"'=cmd|""x"""`],
    ['a formula after spaces', ' \u00A0=1+1', `' \u00A0=1+1`],
    ['a wide sign', '\uFF1D1+1', `'\uFF1D1+1`],
    ['a text that begins with a sign', '-example', `'-example`],
    ['a text that begins with a line end', '\n=1', `"'\n=1"`],
    ['a separator of other languages', 'a;=1+1', '"a;=1+1"'],
    ['a quotation mark', 'say "hi"', '"say ""hi"""'],
    ['a negative number', -5, '-5'],
    ['nothing', null, ''],
    ['a truth', true, 'true'],
  ])('holds %s so that no spreadsheet runs it', (_, cell, expected) => {
    expect(csvLine([cell, 1])).toBe(`${expected},1\r\n`);
  });
});
