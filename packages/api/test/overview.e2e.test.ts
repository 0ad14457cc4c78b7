import { addDomain, removeDomain } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let empty: typeof org;

const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

beforeAll(async () => {
  served = await serveApi(); // it is 2026-03-10
  org = await givenOrganization(served, 'Overview');
  empty = await givenOrganization(served, 'Empty');
  await givenReports(served.db, org.id, [
    {
      ...on('2026-03-09'),
      domain: 'one.example',
      policy: { p: 'quarantine' },
      records: [
        { ip: '192.0.2.1', count: 120 },
        { ip: '192.0.2.1', count: 5, spf: false },
        { ip: '192.0.2.2', count: 35, dkim: false, spf: false, class: 'likely_forwarded' },
      ],
    },
    { ...on('2026-02-07'), domain: 'one.example', records: [{ ip: '192.0.2.9', count: 1_000 }] }, // before its window
    {
      ...on('2026-01-01'), // its window ends with its newest report, however long ago
      domain: 'two.example',
      records: [
        { ip: '192.0.2.1', count: 12 },
        { ip: '192.0.2.3', count: 30, dkim: false },
        { ip: '192.0.2.4', count: 10, dkim: false, spf: false },
      ],
    },
    { ...on('2026-03-09'), domain: 'zero.example', policy: { p: 'reject' }, records: [{ ip: '192.0.2.5', count: 0 }] },
  ]);
});
afterAll(() => served[Symbol.asyncDispose]());

async function overview() {
  const { status, body } = await org.get('/dashboard/overview');
  expect(status).toBe(200);
  return body;
}

async function checked(domain: string, check: { subject: string; status: string; policy?: string; from?: string }) {
  const { id } = await served.db.selectFrom('domain').select('id').where('name', '=', domain).executeTakeFirstOrThrow();
  const now = new Date();
  await served.db
    .insertInto('domain_check')
    .values({
      org_id: org.id,
      domain_id: id,
      subject: check.subject,
      status: check.status,
      has_record: check.status !== 'error',
      inherited_from: check.from ?? null,
      checked_at: now,
      changed_at: now,
      ...(check.policy && { policy: JSON.stringify({ p: check.policy, pct: 100, t: false }), policy_read_at: now }),
    })
    .execute();
}

async function raise(domain: string, type: string, severity: 'info' | 'warning' | 'critical'): Promise<void> {
  const words = { title: `${type} of ${domain}`, message: 'M.', link: '/' };
  const row = { org_id: org.id, id: newId(), dedup_key: `${type}/${domain}`, type, severity, domain, ...words };
  await served.db.insertInto('event').values(row).execute();
}

describe('GET /dashboard/overview', () => {
  it('returns the score of all domains, and a card for each, the worst first', async () => {
    expect(await overview()).toEqual({
      org_health: {
        overall_score: 69,
        grade: 'D',
        verdict: '1 of 3 domains does not enforce DMARC yet.',
        health_state: 'critical',
        compliance_rate: 78.77,
        total_messages: 212,
        total_domains: 3,
        domains_needing_attention: 3,
        unique_source_ips: 5,
        has_data: true,
        forwarded_messages: 35,
      },
      domain_cards: [
        {
          domain: 'zero.example',
          score: 20,
          grade: 'F',
          verdict: 'Reports arrive but show no mail from this domain.',
          compliance_rate: 0,
          total_messages: 0,
          policy: 'reject',
          top_issue: '',
          top_issue_severity: '',
          action_count: 0,
          forwarded_messages: 0,
        },
        {
          domain: 'two.example',
          score: 58,
          grade: 'F',
          verdict: 'No reports since 2026-01-01; figures are from that time.',
          compliance_rate: 80.77,
          total_messages: 52,
          policy: 'none',
          top_issue: '',
          top_issue_severity: '',
          action_count: 0,
          forwarded_messages: 0,
        },
        {
          domain: 'one.example',
          score: 76,
          grade: 'C',
          verdict: '21.87% of mail fails DMARC.',
          compliance_rate: 78.13,
          total_messages: 160,
          policy: 'quarantine',
          top_issue: '',
          top_issue_severity: '',
          action_count: 0,
          forwarded_messages: 35,
        },
      ],
      action_items_summary: { total_pending: 0, high: 0, medium: 0, low: 0 },
    });
  });

  it('names the domain whose policy is inherited also while a check has no answer', async () => {
    await checked('one.example', { subject: 'dmarc', status: 'ok', policy: 'reject', from: 'example' });
    const card = async () =>
      (await overview()).domain_cards.find(({ domain }: { domain: string }) => domain === 'one.example');
    const before = await card();
    expect(before).toMatchObject({ policy: 'reject', inherited: true, inherited_from: 'example' });
    const kept = { answer: { status: 'ok', inherited_from: 'example' }, answeredAt: Date.now() };
    await served.db
      .updateTable('domain_check')
      .set({ status: 'unknown', inherited_from: null, kept: JSON.stringify(kept) })
      .execute();
    expect(await card()).toEqual(before);
    await served.db.deleteFrom('domain_check').execute();
  });

  it('is another one at once when a check, an event or a report changes it', async () => {
    await checked('one.example', { subject: 'dmarc', status: 'ok', policy: 'reject', from: 'example' });
    await checked('one.example', { subject: 'spf', status: 'error' });
    const first = await overview();
    expect(first.domain_cards[2]).toMatchObject({
      policy: 'reject',
      inherited: true,
      inherited_from: 'example',
      score: 81,
      top_issue: 'SPF record is missing or broken',
      top_issue_severity: 'high',
      action_count: 1,
    });
    expect(first.org_health.domains_needing_attention).toBe(3); // it has a high score, but an open item
    expect(first.action_items_summary).toEqual({ total_pending: 1, high: 1, medium: 0, low: 0 });

    await raise('one.example', 'compliance_drop', 'warning');
    await raise('', 'report_parse_failed', 'critical');
    await raise('one.example', 'new_source', 'info'); // requires no action
    const second = await overview();
    expect(second.domain_cards[2].action_count).toBe(2);
    expect(second.action_items_summary).toEqual({ total_pending: 3, high: 2, medium: 1, low: 0 });

    await served.db.updateTable('event').set({ acknowledged_at: new Date(), acknowledged_by: 'me' }).execute();
    await removeDomain(served.database, org.id, 'one.example');
    expect((await overview()).action_items_summary.total_pending).toBe(0);
  });

  it('shows a domain at once that is monitored again', async () => {
    await addDomain(served.db, org.id, 'one.example', {});
    expect((await overview()).action_items_summary.total_pending).toBe(1);
  });

  it('is kept while nothing is said to have changed', async () => {
    const before = await overview();
    await served.db.updateTable('domain_day').set({ messages: 1_000_000 }).execute(); // bypasses the counter of changes
    expect(await overview()).toEqual(before);
    await served.db.updateTable('org_total').set({ changes: 1_000 }).execute();
    const answers = await Promise.all(Array.from({ length: 12 }, () => overview()));
    for (const answer of answers) expect(answer.org_health.total_messages).toBe(answers[0].org_health.total_messages);
    expect(answers[0].org_health.total_messages).toBeGreaterThan(1_000_000);
  });

  it('before the first report says so', async () => {
    expect((await empty.get('/dashboard/overview')).body).toEqual({
      org_health: {
        overall_score: 0,
        grade: 'N/A',
        verdict: 'No DMARC reports have arrived yet.',
        health_state: 'nodata',
        compliance_rate: 0,
        total_messages: 0,
        total_domains: 0,
        domains_needing_attention: 0,
        unique_source_ips: 0,
        has_data: false,
        forwarded_messages: 0,
      },
      domain_cards: [],
      action_items_summary: { total_pending: 0, high: 0, medium: 0, low: 0 },
    });
  });
});
