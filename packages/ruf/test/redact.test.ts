import { expect, it } from 'vitest';
import { domainOf, redact } from '../src/redact.ts';

it.each([
  ['spf=fail smtp.mailfrom=anna@a.example', 'spf=fail smtp.mailfrom=@a.example'],
  ['smtp.mailfrom=bounce+anna=b.example@a.example;', 'smtp.mailfrom=@a.example;'],
  ['anna.b=c@a.example', '@a.example'],
  ['<SRS0=x=tt=b.example=anna@a.example>', '<@a.example>'],
  ['smtp.mailfrom="anna b"@a.example', 'smtp.mailfrom=@a.example'],
  ['user%40a.example', '@a.example'],
  ['header.i=@a.example header.d=a.example', 'header.i=@a.example header.d=a.example'],
  ['dmarc=fail (p=none; dis=none) header.from=a.example', 'dmarc=fail (p=none; dis=none) header.from=a.example'],
  ['anna@b.example@a.example', '@a.example'],
])('redacts %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted);
});

it.each([
  ['<anna@A.example>', 'a.example'],
  ['a.example.', 'a.example'],
  ['anna@localhost', null],
  ['anna', null],
  [`${'a'.repeat(400)}@a.example`, null],
])('of %s the domain is %s', (address, domain) => {
  expect(domainOf(address)).toBe(domain);
});

it('takes no longer for a text made to be slow', () => {
  const started = performance.now();
  for (const piece of ['"', 'a', '\\"', '@', '(', '=']) redact(piece.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(30_000); // a quadratic search takes minutes
});
