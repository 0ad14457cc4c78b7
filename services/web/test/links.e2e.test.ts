import { pathOf, type Page, type Place } from '@dmarc-ledger/vocabulary';
import { pages } from '@dmarc-ledger/web';
import { expect, it } from 'vitest';

/** A link to each place that the API and notifications name. */
const places: { [Name in Page]: Extract<Place, { page: Name }> } = {
  home: { page: 'home' },
  domain: { page: 'domain', domain: 'example.com' },
  add_domain: { page: 'add_domain', domain: 'example.com' },
  verify_domain: { page: 'verify_domain', domain: 'example.com' },
  dns_record: { page: 'dns_record', domain: 'example.com', protocol: 'spf' },
  hosted_record: { page: 'hosted_record', domain: 'example.com', protocol: 'spf' },
  reports: { page: 'reports', domain: 'example.com' },
  sources: { page: 'sources', domain: 'example.com' },
  source: { page: 'source', ip: '2001:db8::1' },
  mailbox: { page: 'mailbox', mailbox: '01JX5T3Z8QK6W4V9N2M7R1C0BD' },
  ingest: { page: 'ingest' },
  api_keys: { page: 'api_keys' },
};

it.each(Object.values(places))('has a page for the link to $page', (place) => {
  const { pathname } = new URL(pathOf(place), 'http://localhost');
  const isFor = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname);
  expect(pages.filter(({ path }) => isFor(path)).length).toBeGreaterThan(0);
});
