import { givenReports } from '@dmarc-ledger/testkit';
import { idText } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let report: string;
const LONG = `${'a-long-name.'.repeat(8)}example`;
const A4 = { width: 718, height: 1_000 };
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await openPagesWorld();
  const record = {
    ip: '2001:db8:1:2:3:4:5:6',
    count: 12_345,
    dkim: false,
    spf: false,
    headerFrom: LONG,
    dkimResults: [{ domain: LONG, selector: LONG, result: 'fail', humanResult: null }],
    spfResults: [{ domain: LONG, scope: 'mfrom', result: 'fail', humanResult: null }],
  };
  const about = { begin: `${today}T00:00:00Z`, end: `${today}T23:59:59Z` };
  const [id] = await givenReports(world.database.db, world.orgId, [
    { ...about, domain: 'example.com', records: [record as never] },
  ]);
  report = idText(id ?? '');
});
afterAll(async () => await world[Symbol.asyncDispose]());

it('prints pages whole: nothing is cut off, no button is left, and the paper says whose it is', async () => {
  const page = await world.signedIn();
  await page.setViewportSize(A4);
  await page.emulateMedia({ media: 'print' });
  const paths = ['/', '/domains', '/senders', '/reports', `/reports/${report}`, '/events', '/settings/ingest', '/orgs'];
  for (const path of paths) {
    await page.goto(path);
    const cut = await page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('.panel')]
      .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent.slice(0, 60))`);
    expect({ path, cut }).toEqual({ path, cut: [] });
    expect(await page.locator('button:not(.named):visible, input:visible, .side:visible').count()).toBe(0);
    expect(await page.locator('.printed').textContent()).toMatch(/^Example Ltd · http.* UTC$/);
  }
  expect(await page.getByRole('button', { name: 'Example Ltd' }).isVisible()).toBe(true);
});
