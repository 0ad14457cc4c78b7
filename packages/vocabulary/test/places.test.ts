import { expect, it } from 'vitest';
import { pathOf, type Place } from '../src/index.ts';

const domain = 'example.com';

it.each<[string, Place]>([
  ['/', { page: 'home' }],
  ['/domains/example.com', { page: 'domain', domain }],
  ['/domains/add?domain=example.com', { page: 'add_domain', domain }],
  ['/domains/example.com/verify', { page: 'verify_domain', domain }],
  ['/domains/example.com/dns/spf', { page: 'dns_record', domain, protocol: 'spf' }],
  ['/domains/example.com/hosted/mta_sts', { page: 'hosted_record', domain, protocol: 'mta_sts' }],
  ['/reports?domain=example.com', { page: 'reports', domain }],
  ['/sources?domain=example.com', { page: 'sources', domain }],
  ['/sources/2001%3Adb8%3A%3A1', { page: 'source', ip: '2001:db8::1' }],
  ['/settings/mailboxes/01JX5T3Z8QK6W4V9N2M7R1C0BE', { page: 'mailbox', mailbox: '01JX5T3Z8QK6W4V9N2M7R1C0BE' }],
  ['/settings/ingest', { page: 'ingest' }],
  ['/settings/api-keys', { page: 'api_keys' }],
])('the path %s is printed from its page and names', (path, place) => expect(pathOf(place)).toBe(path));

it('a path that was stored earlier is printed as it is', () =>
  expect(pathOf('/domains/example.com/dns/spf')).toBe('/domains/example.com/dns/spf'));
