import type { Page } from 'playwright-core';

/** A page as a person meets it: a name for its file, and its address. */
export interface NamedPath {
  name: string;
  path: string;
}

const FIXED: readonly NamedPath[] = [
  { name: 'overview', path: '/' },
  { name: 'domains', path: '/domains' },
  { name: 'domain', path: '/domains/tidewater.example' },
  { name: 'domain-without-record', path: '/domains/lumen-labs.example' },
  { name: 'enforcement', path: '/enforcement' },
  { name: 'enforce', path: '/domains/tidewater.example/enforce' },
  { name: 'spf', path: '/domains/tidewater.example/spf' },
  { name: 'dkim', path: '/domains/aurora-books.example/dkim' },
  { name: 'coverage', path: '/domains/tidewater.example/coverage' },
  { name: 'coverage-of-an-outage', path: '/domains/lumen-labs.example/coverage' },
  { name: 'bulk-sender', path: '/domains/tidewater.example/bulk-sender' },
  { name: 'add-domain', path: '/domains/add' },
  { name: 'dns-dmarc', path: '/domains/lumen-labs.example/dns/dmarc' },
  { name: 'dns-spf', path: '/domains/aurora-books.example/dns/spf' },
  { name: 'dns-dkim', path: '/domains/northwind-parts.example/dns/dkim' },
  { name: 'senders', path: '/senders' },
  { name: 'reports', path: '/reports' },
  { name: 'reporters', path: '/reporters' },
  { name: 'failures', path: '/failures' },
  { name: 'tls', path: '/tls' },
  { name: 'tls-reports', path: '/tls/reports' },
  { name: 'events', path: '/events' },
  { name: 'intake', path: '/settings/ingest' },
  { name: 'add-mailbox', path: '/settings/mailboxes/add' },
  { name: 'people', path: '/settings/people' },
  { name: 'api-keys', path: '/settings/api-keys' },
  { name: 'notifications', path: '/settings/notifications' },
  { name: 'installation', path: '/settings/installation' },
  { name: 'account', path: '/account' },
  { name: 'organizations', path: '/orgs' },
  { name: 'missing', path: '/no-such-page' },
];

/** Lists of the samples whose first row leads to a page of its own. */
const FOUND = [
  { name: 'source', in: '/senders?class=suspicious', link: 'tbody a[href^="/sources/"]' },
  { name: 'sender', in: '/senders', link: '#inventory a[href^="/senders/sender"]' },
  { name: 'report', in: '/reports?domain=tidewater.example', link: 'tbody a[href^="/reports/"]' },
  { name: 'tls-report', in: '/tls/reports', link: 'tbody a[href^="/tls/reports/"]' },
  { name: 'delivery', in: '/settings/ingest?state=refused', link: 'tbody a[href^="/settings/ingest/"]' },
] as const;

/** Every page of the samples, for somebody who may see all. */
export async function samplePaths(page: Page, origin: string): Promise<NamedPath[]> {
  const found: NamedPath[] = [];
  for (const { name, in: list, link } of FOUND) {
    await page.goto(origin + list);
    const path = await page.locator(link).first().getAttribute('href');
    if (path === null) throw new Error(`no ${name} on ${list}`);
    found.push({ name, path });
  }
  const report = new URL(found.find(({ name }) => name === 'report')?.path ?? '/', origin);
  const xml = { name: 'report-xml', path: `${report.pathname}/xml${report.search}` };
  return [...FIXED, ...found, xml];
}
