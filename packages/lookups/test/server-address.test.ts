import { describe, expect, it } from 'vitest';
import { parseServerAddress, serverText } from '../src/index.ts';

describe('the address of a server', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1:53'],
    [' 192.0.2.1:5353 ', '192.0.2.1:5353'],
    ['2001:db8::1', '[2001:db8::1]:53'],
    ['[2001:db8::1]', '[2001:db8::1]:53'],
    ['[2001:db8::1]:5353', '[2001:db8::1]:5353'],
  ])('%s', (text, expected) => expect(serverText(parseServerAddress(text)!)).toBe(expected));

  it.each([
    '',
    'dns.example',
    'dns.example:53',
    '192.0.2.1:',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '192.0.2',
    '[192.0.2.1]:53',
    '127.1:53',
  ])('is not %j', (text) => expect(parseServerAddress(text)).toBeUndefined());
});
