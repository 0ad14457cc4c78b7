import { givenReports } from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let page: Page;
const today = new Date().toISOString().slice(0, 10);
const FORGED = 'google.com (evil.example)';
const ODD = ' 50 % & more? "x" + <y> \\ ü ';
/** The reports of each reporter; one has more than fit on a page. */
const counts = { 'google.com': 3, [FORGED]: 52, 'mail.example': 1, 'mail.example.org': 2, [ODD]: 4 };

beforeAll(async () => {
  world = await openPagesWorld();
  await givenReports(
    world.database.db,
    world.orgId,
    Object.entries(counts).flatMap(([name, count]) =>
      Array.from({ length: count }, (_, i) => ({
        domain: 'named.example',
        reporter: name === FORGED ? 'google.com' : name,
        metadata: { email: name === FORGED ? 'dmarc@evil.example' : null },
        begin: `${addDays(today, -1 - (i % 5))}T00:00:00Z`,
        end: `${addDays(today, -1 - (i % 5))}T23:59:59Z`,
      })),
    ),
  );
  page = await world.signedIn();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const caption = async () =>
  (await page.locator('table').count()) === 0 ? '0 reports' : await page.locator('caption').innerText();
const reportsOf = async (name: string) => {
  await page.goto(`/reports?reporter=${encodeURIComponent(name)}`);
  return await caption();
};

it.each(['/reporters', '/', '/domains/named.example/coverage', '/domains/named.example/coverage?days=30'])(
  'leads from each reporter on %s to the reports that count for it, and to no others',
  async (path) => {
    await page.goto(path);
    const links = await page.locator('td.name a[href^="/reports?"]').all();
    const found = await Promise.all(
      links.map(async (link) => [await link.textContent(), await link.getAttribute('href')] as const),
    );
    const listed: { [name: string]: number } = {};
    for (const [name, href] of found) {
      await page.goto(href ?? '');
      listed[name ?? ''] = Number.parseInt(await caption());
    }
    expect(listed).toEqual(counts);
  },
);

it('keeps the reporter while its reports are sorted, paged, filtered and saved, until it is taken away', async () => {
  await page.goto('/reporters');
  await page.getByRole('link', { name: FORGED }).click();
  const chosen = page.getByRole('search').getByRole('status');
  const isKept = async () =>
    expect([await caption(), await chosen.innerText()]).toEqual(['52 reports', expect.any(String)]);
  expect(await chosen.innerText()).toBe(`Only reports that count for ${FORGED}. Reports of all reporters`);
  await page.getByRole('columnheader', { name: 'Messages' }).getByRole('link').click();
  await isKept();
  await page.getByRole('link', { name: 'Next' }).click();
  await isKept();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ]);
  const lines: string[] = [];
  for await (const part of await download.createReadStream()) lines.push(...String(part).split('\r\n').filter(Boolean));
  expect(lines.length).toBe(53);
  await page.getByLabel('Search').fill('named');
  await page.getByRole('button', { name: 'Apply' }).click();
  await isKept();
  await page.getByRole('link', { name: 'Reports of all reporters' }).click();
  expect(await caption()).toBe('62 reports');
  expect(await page.getByLabel('Search').inputValue()).toBe('named');
  expect(await chosen.count()).toBe(0);
});

it('lists nothing for a name that no reporter counts by, and everything for an empty one', async () => {
  for (const name of ['google', 'GOOGLE.com', 'evil.example', `${FORGED} `, '%', 'x'.repeat(3_000)])
    expect([name.slice(0, 40), await reportsOf(name)]).toEqual([name.slice(0, 40), '0 reports']);
  expect(await reportsOf('')).toBe('62 reports');
});

it('shows a long name in a narrow window', async () => {
  const narrow = await world.signedIn('narrow@example.com', 'owner', world.orgId, {
    viewport: { width: 390, height: 900 },
  });
  await narrow.goto(`/reports?reporter=${'x'.repeat(280)}`);
  expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

it('still searches a part of the name that reports state', async () => {
  await page.goto('/reports');
  await page.getByLabel('Reporter').fill('google');
  await page.getByRole('button', { name: 'Apply' }).click();
  expect(await caption()).toBe('55 reports');
});
