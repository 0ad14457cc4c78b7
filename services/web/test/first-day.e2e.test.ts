import { addDomain } from '@dmarc-ledger/ledger';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let page: Page;

beforeAll(async () => {
  world = await openPagesWorld();
  page = await world.signedIn();
});
afterAll(() => world[Symbol.asyncDispose]());

const main = async (path: string) => {
  await page.goto(path);
  return (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
};

it.each(['/senders', '/reports'])(
  'says on %s what to do before the first report, not to change a filter',
  async (path) => {
    const text = await main(path);
    expect(text).toContain('No report has arrived yet. Upload one, or add a mailbox, or add a domain');
    expect(text).not.toContain('Change the filter');
    await page.locator('main').getByRole('link', { name: 'Upload one, or add a mailbox' }).click();
    expect(await page.locator('h1').innerText()).toBe('Intake');
  },
);

it('leads from the empty list of domains to where one is added', async () => {
  await main('/domains');
  await page.locator('main').getByRole('link', { name: 'Add one' }).click();
  expect(await page.locator('h1').innerText()).toBe('Add a domain');
});

it('finds and shows a domain by the name that people write', async () => {
  const { db } = world.database;
  for (const domain of ['xn--bcher-kva.example', 'books.example']) await addDomain(db, world.orgId, domain, {});
  expect(await main('/domains?search=b%C3%BCch')).toContain('1 of 2 domains');
  expect(await main('/domains')).toContain('xn--bcher-kva.example bücher.example');
  expect(await main('/domains/xn--bcher-kva.example')).toMatch(/^xn--bcher-kva\.example bücher\.example/);
});

it('keeps what is no domain name in the form, and takes it when it is corrected', async () => {
  await main('/domains/add');
  const domain = page.getByLabel('Domain', { exact: true });
  await domain.fill('later:example');
  await page.getByRole('button', { name: 'Add it' }).click();
  expect(await page.getByRole('alert').innerText()).toBe(
    '“later:example” is no domain name, such as example.com. Nothing was added.',
  );
  expect(await domain.inputValue()).toBe('later:example');
  await domain.fill(' https://LATER.example/path');
  await domain.press('Enter');
  await page.waitForURL(/\/domains\/later\.example\/dns\/dmarc$/);
});

it('adds many domains at once, or none where one is no domain name', async () => {
  const add = async (text: string) => {
    await main('/domains/add');
    await page.getByText('Several at once').click();
    await page.getByLabel('Names, with').fill(text);
    await page.getByRole('button', { name: 'Add them' }).click();
  };
  await add('many1.example\nmany2.example,wrong');
  expect(await page.getByRole('alert').innerText()).toContain('“wrong” is no domain name');
  expect(await page.getByLabel('Names, with').inputValue()).toBe('many1.example\nmany2.example,wrong');
  await add(Array.from({ length: 101 }, (_, i) => `many${i}.example`).join(' '));
  expect(await page.getByRole('alert').innerText()).toBe('Add at most 100 domains at once.');
  expect(await main('/domains?search=many')).toContain('No domain matches');
  await add(
    `MANY1.example.\tmany1.example; mañy2.example\n\n${Array.from({ length: 97 }, (_, i) => `many.n${i}.example`).join('\n')}`,
  );
  await page.waitForURL(/\/domains$/);
  expect(await main('/domains?search=many')).toContain('98 of');
  expect(await main('/domains?search=ma%C3%B1y')).toContain('1 of');
});
