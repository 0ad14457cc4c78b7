import { givenReports } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
const domain = 'example.com';
const mail: [string, number][] = [
  [domain, 1_640_000_000],
  ['busy.example', 19_999],
  ['calm.example', 9_999],
];
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  world = await openPagesWorld();
  const { database, orgId } = world;
  const about = { begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` };
  const reports = mail.map(([name, count]) => ({ domain: name, records: [{ ip: '192.0.2.1', count, dkim: true }] }));
  const failed = { dkim: false, spf: false };
  const classes = {
    domain: 'classes.example',
    records: [
      { ip: '192.0.2.1', count: 200, dkim: true },
      { ip: '192.0.2.2', count: 20, ...failed, class: 'likely_forwarded' as const },
      { ip: '192.0.2.3', count: 70, ...failed, class: 'needs_review' as const },
      { ip: '192.0.2.4', count: 10, ...failed, class: 'suspicious' as const },
    ],
  };
  const daysAgo = (days: number) => {
    const that = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    return { domain: 'falling.example', begin: `${that}T00:00:00Z`, end: `${that}T23:59:59Z` };
  };
  const falling = [
    { ...daysAgo(39), records: [{ count: 7 }] },
    { ...daysAgo(10), records: [{ count: 1 }, { ip: '192.0.2.5', count: 3, ...failed }] },
  ];
  await givenReports(
    database.db,
    orgId,
    [...reports, classes, ...falling].map((report) => ({ ...about, ...report })),
  );
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([390, 1_440])('has the labels of a chart readable and within its panel at a width of %d', async (width) => {
  const page = await world.signedIn(undefined, undefined, undefined, { viewport: { width, height: 900 } });
  for (const [name] of mail) {
    await page.goto(`/domains/${name}`);
    const panel = page.locator('section', { hasText: 'Messages by day' });
    const { x } = (await panel.boundingBox())!;
    const labels = await panel.locator('svg text').evaluateAll((all) =>
      all.map((label) => {
        const { left, height } = label.getBoundingClientRect();
        return { left, height };
      }),
    );
    expect(labels.length).toBeGreaterThan(8);
    for (const { left, height } of labels) {
      expect(left).toBeGreaterThan(x);
      expect(height).toBeGreaterThan(11);
    }
  }
});

it.each(['/?days=7', '/domains/classes.example?days=7', '/?days=7&domain=classes.example'])(
  'shows what failed by class, in the colours of the classes, at %s',
  async (path) => {
    const page = await world.signedIn();
    await page.goto(path);
    const chart = page.locator('figure', { has: page.locator('svg.chart') });
    for (const [name, text] of [
      ['authenticated', 'passed DMARC'],
      ['likely_forwarded', '20 failed, likely forwarded'],
      ['needs_review', '70 failed, to review'],
      ['suspicious', '10 failed, suspicious'],
    ] as const) {
      const entry = chart.locator('.legend li').filter({ hasText: text });
      expect(await entry.getAttribute('class')).toBe(name);
      const color = await entry.evaluate((li) => getComputedStyle(li).color);
      const fill = await chart.locator(`rect.${name}`).evaluate((rect) => getComputedStyle(rect).fill);
      expect({ name, fill }).toEqual({ name, fill: color });
    }
    const bar = chart.getByRole('img', { name: '20 likely forwarded, 70 to review, 10 suspicious' });
    expect(await bar.count()).toBe(1);
  },
);

it('shows beside the rate of a domain how it has changed', async () => {
  const page = await world.signedIn();
  await page.goto('/domains');
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  const line = row('falling.example').getByRole('img', { name: /^from 100 . to 25.0 .$/ });
  expect(await line.locator('path').getAttribute('d')).toBe('M0 2h0M60 11h0'); // two dots: no mail between
  expect(await row('calm.example').locator('svg').count()).toBe(0); // one part of the window alone
});

it('says of which days a chart is and how many messages it shows', async () => {
  const page = await world.signedIn();
  await page.goto(`/domains/${domain}?days=7`);
  const text = await page.locator('section', { hasText: 'Messages by day' }).innerText();
  expect(text).toMatch(/\d+ \w+ \d{4} to \d+ \w+ \d{4}: 1,640,000,000 messages/);
});
