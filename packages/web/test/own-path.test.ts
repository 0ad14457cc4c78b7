import { expect, it } from 'vitest';
import { ownPath } from '../src/page/own-path.ts';

it.each(['/', '/reports?domain=example.com', '/domains/example.com/dns/spf', '/sources/2001%3Adb8%3A%3A1'])(
  'leads to %s, a path of this server',
  (path) => {
    expect(ownPath(path)).toBe(path);
  },
);

it.each([
  '',
  'reports',
  'https://attacker.example/',
  '//attacker.example',
  '/\\attacker.example',
  '/a\\b',
  '/\t/x',
  'javascript:alert(1)',
])('leads to the overview in place of %j', (path) => {
  expect(ownPath(path)).toBe('/');
});
