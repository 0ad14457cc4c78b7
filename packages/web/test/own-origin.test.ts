import { expect, it } from 'vitest';
import { isOwnOrigin } from '../src/server/headers.ts';

const host = 'dmarc.example';
const https = { 'x-forwarded-proto': 'https' };

it.each([
  ['a page of this server', { host, origin: 'https://dmarc.example', ...https }, undefined, true],
  ['one behind a proxy that names no scheme', { host, origin: 'https://dmarc.example' }, undefined, true],
  ['one behind a proxy that names another host', { host: 'web:8080', origin: 'https://dmarc.example' }, true, true],
  ['one of a server without TLS', { host, origin: 'http://dmarc.example' }, undefined, true],
  ['one on this machine, beside the proxy', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }, true, true],
  ['a page of the same host by plain HTTP', { host, origin: 'http://dmarc.example', ...https }, undefined, false],
  ['the same where APP_URL says HTTPS', { host, origin: 'http://dmarc.example' }, true, false],
  ['another host', { host, origin: 'https://other.example', ...https }, true, false],
  ['another port', { host, origin: 'https://dmarc.example:8443', ...https }, true, false],
  ['a page without an origin', { host, origin: 'null', ...https }, true, false],
  ['no browser', { host, ...https }, true, false],
])('knows whether a form is from its own page: %s', (_, headers, hasAppUrl, expected) => {
  expect(isOwnOrigin(headers, hasAppUrl ? 'https://dmarc.example' : undefined)).toBe(expected);
});
