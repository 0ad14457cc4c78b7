import { givenReports } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { pages } from '@dmarc-ledger/web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let cookie: string;
const FILTER = { domain: 'example.com', days: '7', class: 'suspicious' };
/** The help, a file, or an address that signs a person in or out: none has a filter. */
const NO_PAGES = /^\/(?:account|orgs|sign-|docs|help|assets)|[?&](?:format|save)=|\/raw(?:\?|$)/;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  const { orgId } = world;
  const about = { begin: `${today}T00:00:00Z`, end: `${today}T23:59:59Z` };
  await givenReports(db, orgId, [
    { ...about, domain: 'example.com', records: [{ ip: '192.0.2.1', count: 5, class: 'suspicious' }] },
    { ...about, domain: 'example.org', records: [{ ip: '192.0.2.2', count: 2, dkim: true }] },
  ]);
  const event = { type: 'new_source', dedup_key: 'one', severity: 'info', title: 'New', message: '' };
  await db
    .insertInto('event')
    .values({ ...event, org_id: orgId, id: newId(), domain: 'example.com', link: '/sources/192.0.2.1' } as never)
    .execute();
  const delivery = { sha256: Buffer.alloc(32), size: 1, source: 'upload', name: 'a.xml', state: 'refused' };
  await db
    .insertInto('raw_message')
    .values({ ...delivery, org_id: orgId, id: newId(), code: 'not_a_report' } as never)
    .execute();
  const page = await world.signedIn();
  cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await page.context().close();
});
afterAll(async () => await world[Symbol.asyncDispose]());

function linksIn(html: string): URL[] {
  const paths = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, path = '']) => path.replaceAll('&amp;', '&'));
  return paths.filter((path) => !NO_PAGES.test(path)).map((path) => new URL(path, world.origin));
}

/** The page of the table that a path belongs to. */
function kindOf(pathname: string): string | undefined {
  return pages.find(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname))?.path;
}

/** The link leads to what is behind a figure of other days. */
function endsDays(link: URL): boolean {
  return link.searchParams.get('days') === '';
}

it('keeps domain, days and class on every link of every page that links lead to', async () => {
  const waiting = [new URL(`/?${new URLSearchParams(FILTER).toString()}`, world.origin)];
  const seen = new Set<string>();
  const lost: string[] = [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const kind = kindOf(next.pathname) ?? '';
    if (seen.has(kind)) continue;
    seen.add(kind);
    const response = await fetch(next, { headers: { cookie } });
    expect({ path: next.pathname, status: response.status }).toEqual({ path: next.pathname, status: 200 });
    const html = await response.text();
    for (const link of linksIn(html)) {
      for (const [name, value] of Object.entries(FILTER)) {
        const kept = link.searchParams.get(name);
        const isNamedByLink = kept !== null && (name !== 'days' || endsDays(link));
        if (kept !== value && !isNamedByLink) lost.push(`${next.pathname} -> ${link.pathname}: ${name}`);
      }
      if (kindOf(link.pathname) !== undefined && !endsDays(link)) waiting.push(link);
    }
    for (const [form = ''] of html.matchAll(/<form [^>]*method="get"[^]*?<\/form>/g))
      for (const name of Object.keys(FILTER))
        if (!form.includes(`name="${name}"`)) lost.push(`the form of ${next.pathname}: ${name}`);
  }
  expect([...new Set(lost)]).toEqual([]);
  expect(seen.size).toBeGreaterThan(15);
});

it('keeps the filter when a link of the API or a form leads on', async () => {
  const query = new URLSearchParams(FILTER).toString();
  for (const path of ['/sources', '/domains/example.com/verify', '/domains/example.com/hosted/spf']) {
    const response = await fetch(`${world.origin}${path}?${query}`, { headers: { cookie }, redirect: 'manual' });
    expect(new URL(response.headers.get('location') ?? '', world.origin).search).toContain('class=suspicious');
  }
  const posted = await fetch(`${world.origin}${world.form('/settings/people/remove')}`, {
    method: 'POST',
    headers: { cookie, origin: world.origin, referer: `${world.origin}/settings/people?${query}` },
    body: new URLSearchParams({ email: 'nobody@example.com' }),
    redirect: 'manual',
  });
  expect(posted.status).toBe(404);
  const acknowledged = await fetch(`${world.origin}${world.form('/domains/add')}`, {
    method: 'POST',
    headers: { cookie, origin: world.origin, referer: `${world.origin}/domains/add?${query}` },
    body: new URLSearchParams({ domain: 'example.net' }),
    redirect: 'manual',
  });
  expect(acknowledged.headers.get('location')).toBe(`/domains/example.net/dns/dmarc?${query}`);
  const foreign = await fetch(`${world.origin}${world.form('/domains/add')}`, {
    method: 'POST',
    headers: { cookie, origin: world.origin, referer: 'https://evil.example/?domain=evil.example' },
    body: new URLSearchParams({ domain: 'example.edu' }),
    redirect: 'manual',
  });
  expect(foreign.headers.get('location')).toBe('/domains/example.edu/dns/dmarc');
});

it('says that a text in the filter that is no domain filters nothing', async () => {
  const page = await world.signedIn();
  const note = page.getByText('is no whole domain name');
  for (const path of ['/', '/senders', '/events', '/tls', '/tls/reports', '/failures']) {
    await page.goto(path);
    await page.getByLabel('Domain', { exact: true }).fill('exa');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/domain=exa(?:&|$)/);
    expect([path, await note.count()]).toEqual([path, 1]);
    await page.goto(`${path}?domain=example.com`);
    expect([path, await note.count()]).toEqual([path, 0]);
  }
});

it('shows on the list of reports that days are left out, and shows all again', async () => {
  const page = await world.signedIn();
  await page.goto('/reports?days=7');
  const days = page.getByLabel('Days');
  expect(await days.inputValue()).toBe('7');
  await days.selectOption('all');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/[?&]days=(&|$)/);
  expect(await days.inputValue()).toBe('');
  await page.goto('/reports?days=7&from=2026-01-01');
  expect(await days.inputValue()).toBe('');
});

describe('a choice in the filter', () => {
  it('by keys is changed step by step on the same page, and applied by the button that comes next', async () => {
    const page = await world.signedIn();
    await page.goto('/tls?days=7');
    const address = page.url();
    const days = page.getByLabel('Days');
    await days.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.waitForLoadState('networkidle');
    expect([page.url(), await days.inputValue()]).toEqual([address, '90']);
    expect(await days.evaluate((select) => select === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    const apply = page.getByRole('button', { name: 'Apply' });
    expect(await apply.isVisible()).toBe(true);
    expect(await apply.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/days=90/);
  });

  it('by keys after a click is not applied either', async () => {
    const page = await world.signedIn();
    await page.goto('/tls?days=7');
    const address = page.url();
    const days = page.getByLabel('Days');
    await days.dispatchEvent('pointerdown');
    await days.focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForLoadState('networkidle');
    expect([page.url(), await days.inputValue()]).toEqual([address, '30']);
  });

  it('in the list that a click opens is applied at once', async () => {
    const page = await world.signedIn();
    await page.goto('/tls?days=7');
    const days = page.getByLabel('Days');
    await days.click();
    await page.keyboard.press('ArrowDown'); // in the list, which the browser draws outside the page
    await page.keyboard.press('Enter');
    await page.waitForURL(/days=30/);
    expect(await days.inputValue()).toBe('30');
  });
});
