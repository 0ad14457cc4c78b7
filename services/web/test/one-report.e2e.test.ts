import { givenReports } from '@dmarc-ledger/testkit';
import { idText } from '@dmarc-ledger/vocabulary';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let page: Page;
let path: string;
const day = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await openPagesWorld();
  const [id = ''] = await givenReports(world.database.db, world.orgId, [
    {
      begin: `${day}T00:00:00Z`,
      end: `${day}T23:59:59Z`,
      records: [
        { ip: '192.0.2.1', count: 5, dkim: true, spf: false },
        { ip: '192.0.2.2', count: 1, dkim: false, spf: false },
        { ip: '192.0.2.3', count: 7, dkim: false, spf: true },
      ],
      warnings: [
        { code: 'version_missing', detail: null },
        { code: 'a_new_code', detail: 'record 2' },
      ],
    },
  ]);
  path = `/reports/${idText(id)}`;
  page = await world.signedIn();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const addresses = async () => await page.locator('tbody td:first-child').allInnerTexts();

it('shows the records that failed alone, on the page and as a file', async () => {
  await page.goto(path);
  expect(await addresses()).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
  await page.getByRole('link', { name: 'Only what failed DMARC (1 record)' }).click();
  await page.waitForURL(/result=fail/);
  expect(await addresses()).toEqual(['192.0.2.2']);
  expect(await page.locator('caption').first().innerText()).toBe('1 record');
  const csv = await (await page.request.get(`${path}?result=fail&format=csv`)).text();
  expect(csv.trim().split('\r\n')).toHaveLength(2);
  await page.getByRole('link', { name: 'All records of the report (3)' }).click();
  expect(await addresses()).toHaveLength(3);
});

it('begins at the first record where the address names one that no report can have', async () => {
  await page.goto(`${path}?offset=999999999999999`);
  expect(await addresses()).toHaveLength(3);
});

it('leads from a list of reports with failures to what failed', async () => {
  await page.goto('/reports?result=fail');
  await page.locator('tbody a').first().click();
  await page.waitForURL(/result=fail/);
  expect(await addresses()).toEqual(['192.0.2.2']);
});

it('says what each warning means, and of which records it speaks', async () => {
  await page.goto(path);
  const warnings = page.locator('section.panel', { hasText: 'How it departs from the standard' }).locator('li');
  expect(await warnings.allInnerTexts()).toEqual(['version_missing: no version', 'a_new_code (record 2)']);
});

it('answers an address that lacks something in plain words', async () => {
  for (const bad of ['/senders/sender', '/senders/sender?domain=example.com']) {
    const response = await page.goto(bad);
    expect(response?.status()).toBe(400);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This address makes no sense');
  }
});

it('says how many messages it is about, and leads to their domain', async () => {
  await page.goto(path);
  expect(await page.locator('dl.facts').first().innerText()).toMatch(/Messages\s+13, of which 1 failed DMARC/);
  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'example.com' }).click();
  await page.waitForURL(/\/domains\/example\.com$/);
  expect(await page.locator('h1').innerText()).toBe('example.com');
});
