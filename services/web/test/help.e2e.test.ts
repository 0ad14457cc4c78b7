import { request as ask } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeSource, BRIEFLY } from '../../../test/support/axe.ts';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
beforeAll(async () => void (world = await openPagesWorld()));
afterAll(async () => await world[Symbol.asyncDispose]());

/** A browser that has never signed in, and what it complained about or asked of other servers. */
async function visitor(options: object = {}): Promise<{ page: Page; faults: string[] }> {
  const profile = await world.browser.profile({ baseURL: world.origin, ...options });
  const page = await profile.newPage();
  const faults: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => request.url().startsWith(world.origin) || faults.push(request.url()));
  return { page, faults };
}

async function axeFindings(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(
    `${axeSource}; axe.run(${JSON.stringify(BRIEFLY)})
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
}

it('finds a page by its words, without signing in, and asks no other server for anything', async () => {
  const { page, faults } = await visitor();
  await page.goto('/help');
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('rules bulk senders');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/\/help\/search\?q=/);
  const first = page.locator('.results a').first();
  await first.waitFor();
  expect(await page.getByRole('status').textContent()).toMatch(/found/);
  await page.getByRole('searchbox').fill('DATABASE_URL');
  await page.locator('.results a[href^="/help/configuration"]').first().click();
  await page.waitForURL(/\/help\/configuration/);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Configuration');
  await page.goto('/help/search?q=zzzqqq');
  await page.getByText('Nothing was found for “zzzqqq”.').waitFor();
  expect(faults).toEqual([]);
});

it.each(['light', 'dark'] as const)('reads from 390 to 1920 px and has no axe finding, %s', async (colorScheme) => {
  const { page, faults } = await visitor({ colorScheme });
  for (const path of ['/help', '/help/configuration', '/help/rules/alignment', '/help/search?q=spf']) {
    await page.goto(path);
    if (path.includes('?q=')) await page.locator('.results a').first().waitFor();
    for (const width of [1_920, 1_024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const wider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      expect({ path, width, wider }).toEqual({ path, width, wider: false });
    }
    expect({ path, findings: await axeFindings(page) }).toEqual({ path, findings: [] });
  }
  expect(faults).toEqual([]);
});

it('reads without JavaScript', async () => {
  const { page } = await visitor({ javaScriptEnabled: false });
  await page.goto('/help');
  await page.getByRole('navigation').getByRole('link', { name: 'Limits', exact: true }).click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Limits');
  await page.goto('/help/search');
  expect(await page.getByText('The search needs JavaScript').isVisible()).toBe(true);
});

it('is one click away from the pages, and explanations lead to their rule', async () => {
  const page = await world.signedIn();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Help' }).click();
  await page.waitForURL(`${world.origin}/help`);
  await page.goto('/settings/ingest');
  const links = await page.locator('.explain a').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  for (const link of links) expect((await fetch(world.origin + link)).status).toBe(200);
  expect(links).toContain('/help/operations');
});

it('sends its files with their types, and keeps those alone whose names change with their content', async () => {
  const help = await fetch(`${world.origin}/help/limits`);
  expect(help.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(help.headers.get('cache-control')).toBe('no-cache');
  expect(help.headers.get('content-security-policy')).not.toContain('unsafe');
  const etag = help.headers.get('etag') ?? '';
  expect((await fetch(help.url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await fetch(help.url, { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
  const head = await fetch(help.url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(help.url, { headers: { range: 'bytes=0-3' } })).status).toBe(200);
  const [asset = ''] = /\/help\/assets\/help\.[^"]+\.css/.exec(await help.text()) ?? [];
  const style = await fetch(world.origin + asset);
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const slash = await fetch(`${world.origin}/help/`, { redirect: 'manual' });
  expect([slash.status, slash.headers.get('location')]).toEqual([301, '/help']);
});

it.each([
  '/help/nothing',
  '/help/../package.json',
  '/help/..%2f..%2fpackage.json',
  '/help/%2e%2e/server.js',
  '/help/assets/..%5c..%5cserver.js',
  '/help/.fingerprint',
  '/help/%00',
])('has a page for what is not there, and sends nothing from outside its folder: %s', async (path) => {
  const { status, body } = await rawGet(path);
  expect(status).toBe(404);
  expect(body).toContain('no such page');
});

/** Asks for exactly this path: `fetch` would take the dots out. */
async function rawGet(path: string): Promise<{ status: number | undefined; body: string }> {
  return await new Promise((resolve, reject) => {
    const { port } = new URL(world.origin);
    const asked = ask({ host: '127.0.0.1', port, path }, (response) => {
      let body = '';
      response.on('data', (piece: Buffer) => (body += piece.toString()));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    asked.on('error', reject).end();
  });
}
