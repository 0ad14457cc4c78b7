import { digestOf, periodOf } from '@dmarc-ledger/digest';
import { findDigestFacts } from '@dmarc-ledger/facts';
import { givenReports } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

type Severity = 'info' | 'warning' | 'critical';
type Given = readonly [type: string, severity: Severity, domain?: string];

const LONG_AGO = '2026-01-02T00:00:00Z';
const attacks = Array.from({ length: 8 }, (): Given => ['malicious_source', 'critical']);
const unread: Given = ['report_parse_failed', 'critical', ''];
const elsewhere: Given = ['compliance_drop', 'warning', 'other.example'];
const ready: Given = ['policy_upgrade_ready', 'info'];

let served: Served;
beforeAll(async () => {
  served = await serveApi(); // it is 2026-03-10
});
afterAll(() => served[Symbol.asyncDispose]());

async function organizationWith(
  events: readonly Given[],
  createdAt: (index: number) => Date = () => new Date(LONG_AGO),
) {
  const org = await givenOrganization(served, `Items ${newId()}`);
  const report = { begin: '2026-03-03T00:00:00Z', end: '2026-03-03T23:59:59Z', records: [{ count: 100 }] };
  await givenReports(served.db, org.id, [
    { ...report, domain: 'example.com' },
    { ...report, domain: 'other.example' },
  ]);
  const words = { message: 'M.', link: '/' };
  const rows = events.map(([type, severity, domain = 'example.com'], i) => {
    const keys = { org_id: org.id, id: newId(), dedup_key: `${type}/${i}`, created_at: createdAt(i) };
    return { ...keys, ...words, type, severity, domain, title: `${type} ${i}` };
  });
  await served.db.insertInto('event').values(rows).execute();
  return org;
}

it('no number of newer events that ask for nothing hides an open one that does', async () => {
  const others = Array.from({ length: 250 }, (): Given => ['subdomain_discovered', 'info']);
  const day = (i: number) => new Date(Date.parse('2025-06-01T00:00:00Z') + i * 86_400_000);
  const org = await organizationWith([['dmarc_record_missing', 'critical'], ...others], day);
  const { body: health } = await org.get('/domains/example.com/health');
  expect(health.action_items.map(({ type }: { type: string }) => type)).toEqual(['dmarc_record_missing']);
  expect(health.alert_count).toBe(1);
  const { domain_cards: cards } = (await org.get('/dashboard/overview')).body;
  const own = cards.find(({ domain }: { domain: string }) => domain === 'example.com');
  expect(own.action_count).toBe(1);
});

describe('a digest counts the open items that the overview counts', () => {
  const asked = { period: periodOf('weekly', '2026-03-09'), today: '2026-03-10', organization: 'Items' };
  const digestFor = async (orgId: string, domains: string[], seesEvents = true) =>
    digestOf(await findDigestFacts(served.db, orgId, { ...asked, domains, seesEvents }));

  it.each([
    ['more of a domain than its health shows', attacks, 8, '8 urgent items'],
    ['those of all domains', [...attacks, elsewhere, ready], 10, '8 urgent items'],
    ['those of no domain', [unread], 1, '1 urgent item'],
    ['none', [['new_source', 'critical'] as const], 0, 'a quiet week'],
  ])('%s', async (_, events, total, mood) => {
    const org = await organizationWith(events);
    const { action_items_summary: summary } = (await org.get('/dashboard/overview')).body;
    const { items } = await findDigestFacts(served.db, org.id, { ...asked, domains: [], seesEvents: true });
    const count = (level: string) => items.filter(({ severity }) => severity === level).length;
    expect({ total_pending: items.length, high: count('high'), medium: count('medium'), low: count('low') }).toEqual(
      summary,
    );
    expect(summary.total_pending).toBe(total);
    expect((await digestFor(org.id, [])).subject).toBe(`DMARC of Items: ${mood}`);
  });

  it('of the domains asked for alone, and those of no domain only for members who see events', async () => {
    const org = await organizationWith([unread, elsewhere, ready]);
    const listed = async (domains: string[], seesEvents?: boolean) =>
      (await digestFor(org.id, domains, seesEvents)).sections.flatMap(({ rows }) => rows.map(({ title }) => title));
    const own = 'policy_upgrade_ready 2: example.com';
    const other = 'compliance_drop 1: other.example';
    expect(await listed([])).toEqual(['report_parse_failed 0', other, own]);
    expect(await listed([], false)).toEqual([other, own]);
    expect(await listed(['example.com'])).toEqual([own]);
  });
});
