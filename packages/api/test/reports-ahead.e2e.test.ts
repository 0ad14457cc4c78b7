import { addDomain } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

const AHEAD = 'Reports arrive, but they are dated after today.';
const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });
const ahead = { ...on('2027-03-09'), domain: 'ahead.example', records: [{ count: 1 }] };
const now = { ...on('2026-03-09'), domain: 'now.example', records: [{ count: 100 }] };

let served: Served;
beforeAll(async () => {
  served = await serveApi(); // it is 2026-03-10
});
afterAll(() => served[Symbol.asyncDispose]());

it.each([
  ['all', [ahead], { domains: 1, cards: [], state: 'nodata', grade: 'N/A', verdict: AHEAD }],
  ['some', [ahead, now], { domains: 2, cards: ['now.example'], state: 'warning', grade: 'B' }],
])(
  'an organization of whose reports %s are dated after today has data of each domain',
  async (name, reports, given) => {
    const org = await givenOrganization(served, name);
    await givenReports(served.db, org.id, reports);
    const { org_health: health, domain_cards: cards } = (await org.get('/dashboard/overview')).body;
    const { cards: names, domains, state, ...figures } = given;
    expect(health).toMatchObject({ has_data: true, total_domains: domains, health_state: state, ...figures });
    expect(cards.map(({ domain }: { domain: string }) => domain)).toEqual(names);
    expect((await org.get('/statistics')).body).toMatchObject({ has_data: true, unique_domains: domains });
    expect((await org.get('/reports')).body.has_any).toBe(true);
  },
);

it('a domain whose reports are all dated after today is not asked to publish a record', async () => {
  const org = await givenOrganization(served, 'Health');
  await givenReports(served.db, org.id, [ahead]);
  await addDomain(served.db, org.id, 'ahead.example', {});
  expect((await org.get('/domains/ahead.example/health')).body).toMatchObject({
    grade: 'N/A',
    verdict: AHEAD,
    empty_state: {
      healthy: false,
      message: 'Reports arrive, but they are dated after today; they count once their day has come.',
    },
  });
});
