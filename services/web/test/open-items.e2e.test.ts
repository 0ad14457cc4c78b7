import { raiseEvents } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { holding } from '@dmarc-ledger/scoring';
import { givenReports } from '@dmarc-ledger/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let page: Page;
const domain = 'example.com';
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await openPagesWorld();
  const { database, orgId } = world;
  const records = [{ ip: '192.0.2.1', count: 4, dkim: true }];
  await givenReports(database.db, orgId, [{ domain, begin: `${today}T00:00:00Z`, end: `${today}T23:59:59Z`, records }]);
  const drops = ['2026-11-24', '2026-11-25', '2026-11-26'].map((day) =>
    holding('compliance_drop', { domain, parts: [domain, day], message: `60% of mail passed on ${day}.` }),
  );
  const addresses = [1, 2, 3, 4].map((i) => {
    const ip = `203.0.113.${i}`;
    return holding('malicious_source', { domain, ip, parts: [domain, ip], message: `${ip} sent 7 failing messages.` });
  });
  const alignment = holding('alignment_drop', { domain, parts: [domain, 'spf', '2026-11-23'] });
  await transact(database, (session) => raiseEvents(session, orgId, [...drops, ...addresses, alignment]));
  page = await world.signedIn();
  await page.goto(`/domains/${domain}`);
});
afterAll(() => world[Symbol.asyncDispose]());

const items = async () => {
  const texts = await page.locator('section', { hasText: 'What to do' }).locator('.items > li').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
};

it('says once what to do about a drop on several days, with what each day had', async () => {
  const drops = (await items()).filter((text) => text.includes('Compliance dropped'));
  expect(drops).toEqual([
    'Medium Compliance dropped for example.com 3 times 60% of mail passed on 2026-11-26. ' +
      '60% of mail passed on 2026-11-25. 60% of mail passed on 2026-11-24. Look for one of your senders that began to ' +
      'fail on that day, and repair its SPF or DKIM. View details',
  ]);
});

it('shows every open item, with what was found', async () => {
  const shown = await items();
  expect(shown.filter((text) => text.includes('sent 7 failing messages'))).toHaveLength(4);
  expect(shown.find((text) => text.includes('alignment dropped'))).toContain('By SPF, on 23 Nov 2026.');
});

it('names what the link of an event leads to', async () => {
  await page.goto('/events');
  const event = page.locator('li', { hasText: 'Malicious source: 203.0.113.3' });
  await event.getByRole('link', { name: 'Look at 203.0.113.3' }).click();
  await page.waitForURL(/\/sources\//);
  expect(new URL(page.url()).pathname).toBe('/sources/203.0.113.3');
});
