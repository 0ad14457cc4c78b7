import { givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let empty: typeof org;

const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

beforeAll(async () => {
  served = await serveApi(); // it is 2026-03-10
  org = await givenOrganization(served, 'Score');
  empty = await givenOrganization(served, 'Empty');
  await givenReports(served.db, org.id, [
    {
      ...on('2026-03-09'),
      domain: 'one.example',
      policy: { p: 'quarantine' },
      records: [
        { ip: '192.0.2.1', count: 120 },
        { ip: '192.0.2.1', count: 5, spf: false },
        { ip: '192.0.2.2', count: 35, dkim: false, spf: false },
      ],
    },
    { ...on('2026-02-07'), domain: 'one.example', records: [{ ip: '192.0.2.1', count: 1_000 }] }, // before its window
    {
      ...on('2026-03-11'),
      domain: 'one.example',
      policy: { p: 'quarantine' },
      records: [{ ip: '192.0.2.1', count: 1_000 }],
    }, // tomorrow
    {
      ...on('2026-01-01'), // its window ends with its newest report, however long ago
      domain: 'two.example',
      records: [
        { ip: '192.0.2.1', count: 12 },
        { ip: '192.0.2.1', count: 30, dkim: false },
        { ip: '192.0.2.2', count: 10, dkim: false, spf: false },
      ],
    },
  ]);
});
afterAll(() => served[Symbol.asyncDispose]());

const one = {
  domain: 'one.example',
  score: 76.88,
  grade: 'C',
  compliance_rate: 78.13,
  spf_pass_rate: 75,
  dkim_pass_rate: 78.13,
  policy: 'quarantine',
  total_messages: 160,
};
const two = {
  domain: 'two.example',
  score: 58.08,
  grade: 'F',
  compliance_rate: 80.77,
  spf_pass_rate: 80.77,
  dkim_pass_rate: 23.08,
  policy: 'none',
  total_messages: 52,
};

describe('GET /compliance-score', () => {
  it('adds the messages of all domains, and takes the plain mean of their policies', async () => {
    expect((await org.get('/compliance-score')).body).toEqual({
      overall_score: 69.72,
      grade: 'D',
      compliance_rate: 78.77,
      spf_pass_rate: 76.42,
      dkim_pass_rate: 64.62,
      policy_strength: 50,
      domain_scores: [two, one],
      total_messages: 212,
      total_reports: 2,
    });
  });

  it('of one domain is that domain’s', async () => {
    const { body } = await org.get('/compliance-score?domain=ONE.example.');
    expect(body).toMatchObject({
      overall_score: 76.88,
      grade: 'C',
      policy_strength: 75,
      domain_scores: [one],
      total_reports: 1,
    });
  });

  it('takes the policy from the DNS when that was read of late', async () => {
    const { id } = await served.db
      .selectFrom('domain')
      .select('id')
      .where('name', '=', 'two.example')
      .executeTakeFirstOrThrow();
    const check = { org_id: org.id, domain_id: id, subject: 'dmarc', status: 'ok', has_record: true };
    const now = new Date();
    await served.db
      .insertInto('domain_check')
      .values({
        ...check,
        checked_at: now,
        changed_at: now,
        policy_read_at: now,
        policy: JSON.stringify({ p: 'reject', pct: 100, t: false }),
      })
      .execute();
    const { body } = await org.get('/compliance-score?domain=two.example');
    expect(body).toMatchObject({ policy_strength: 100, overall_score: 73.08 });
    const whenReadBefore = async (days: number) => {
      // later checks have no answer
      const change = { status: 'unknown', policy_read_at: new Date(now.getTime() - days * 86_400_000) };
      await served.db.updateTable('domain_check').set(change).execute();
      return (await org.get('/compliance-score?domain=two.example')).body.policy_strength;
    };
    expect([await whenReadBefore(6), await whenReadBefore(8)]).toEqual([100, 25]);
    await served.db.deleteFrom('domain_check').execute();
  });

  it('has a history: a point for each day from the first report on, the last one as it is now', async () => {
    const { body } = await org.get('/compliance-score/history?days=365');
    expect(body.days).toBe(365);
    expect(body.points).toHaveLength(69);
    expect(body.points[0]).toEqual({
      snapshot_date: '2026-01-01',
      score: 58.08,
      grade: 'F',
      compliance_rate: 80.77,
      spf_rate: 80.77,
      dkim_rate: 23.08,
      total_messages: 52,
    });
    expect(body.points.slice(-3)).toMatchObject([
      { snapshot_date: '2026-03-08', total_messages: 1_052, compliance_rate: 99.05 },
      { snapshot_date: '2026-03-09', total_messages: 212, score: 69.72, grade: 'D' },
      { snapshot_date: '2026-03-10', total_messages: 212, score: 69.72, grade: 'D' },
    ]);
  });

  it('has a history that returns stored days unchanged', async () => {
    const kept = { score: 5_025, compliance: 4_999, spf: 100, dkim: 10_000, messages: 5 };
    await served.db
      .insertInto('score_snapshot')
      .values({ org_id: org.id, day: '2026-03-08', ...kept })
      .execute();
    const { body } = await org.get('/compliance-score/history?days=3');
    expect(body.points).toMatchObject([
      { score: 50.25, compliance_rate: 49.99, spf_rate: 1, dkim_rate: 100, total_messages: 5 },
      { total_messages: 212 },
      { total_messages: 212 },
    ]);
    await served.db.deleteFrom('score_snapshot').execute();
  });

  it.each(['0', '366', 'x', '-1', '1.5', ''])('has a history of 30 days for days=%s', async (days) => {
    const { body } = await org.get(`/compliance-score/history?days=${days}`);
    expect([body.days, body.points.length]).toEqual([30, 30]);
  });

  it('has no history before the first report', async () => {
    expect((await empty.get('/compliance-score/history')).body).toEqual({ days: 30, points: [] });
  });

  it('is nothing before the first report', async () => {
    const nothing = {
      overall_score: 0,
      grade: 'N/A',
      compliance_rate: 0,
      spf_pass_rate: 0,
      dkim_pass_rate: 0,
      policy_strength: 0,
      domain_scores: [],
      total_messages: 0,
      total_reports: 0,
    };
    expect((await empty.get('/compliance-score')).body).toEqual(nothing);
    expect((await org.get('/compliance-score?domain=unknown.example')).body).toEqual(nothing);
    expect((await org.get('/compliance-score?domain=nonsense')).status).toBe(400);
  });
});

describe('GET /compliance-score?domain=', () => {
  it('shows a domain’s own figures at the top, also when it has no messages', async () => {
    await givenReports(served.db, org.id, [
      { ...on('2026-03-09'), domain: 'silent.example', policy: { p: 'reject' }, records: [{ count: 0 }] },
    ]);
    const { body } = await org.get('/compliance-score?domain=silent.example');
    expect(body).toMatchObject({
      overall_score: 20,
      grade: 'F',
      policy_strength: 100,
      total_messages: 0,
      total_reports: 1,
    });
    expect(body.domain_scores).toMatchObject([{ score: 20, grade: 'F', total_messages: 0 }]);
  });
});

describe('of reports whose windows end at once', () => {
  it('the one stored last has the policy, now and in a history of any length', async () => {
    const tied = await givenOrganization(served, 'Tied');
    const store = (begin: string, p: 'none' | 'reject') =>
      givenReports(served.db, tied.id, [
        { begin, end: '2026-03-09T23:59:59Z', policy: { p }, records: [{ count: 10 }] },
      ]);
    await store('2026-03-09T00:00:00Z', 'none');
    await store('2026-03-07T00:00:00Z', 'reject');
    expect((await tied.get('/compliance-score')).body.overall_score).toBe(100);
    const ofDays = async (days: number) => (await tied.get(`/compliance-score/history?days=${days}`)).body.points;
    for (const days of [1, 2, 3, 30]) expect((await ofDays(days)).at(-1).score).toBe(100);
  });
});

describe('a locked domain', () => {
  it('scores 100 however much mail is forged, and its rates stay as they are', async () => {
    await givenReports(served.db, empty.id, [
      {
        ...on('2026-03-09'),
        domain: 'locked.example',
        policy: { p: 'reject' },
        records: Array.from({ length: 12 }, (_, i) => ({ ip: `192.0.2.${i}`, count: 80, dkim: false, spf: false })),
      },
    ]);
    const score = async () => (await empty.get('/compliance-score?domain=locked.example')).body;
    const card = async () => (await empty.get('/dashboard/overview')).body.domain_cards[0];
    expect(await score()).toMatchObject({ overall_score: 20, grade: 'F' });
    expect(await card()).toMatchObject({ score: 20, verdict: '100% of mail fails DMARC.' });
    const { id } = await served.db
      .selectFrom('domain')
      .select('id')
      .where('name', '=', 'locked.example')
      .executeTakeFirstOrThrow();
    const now = new Date();
    const check = { org_id: empty.id, domain_id: id, subject: 'spf', status: 'ok', has_record: true };
    await served.db
      .insertInto('domain_check')
      .values({ ...check, records: ['v=spf1 -all'], checked_at: now, changed_at: now, policy_read_at: null })
      .execute();
    expect(await score()).toMatchObject({
      overall_score: 100,
      grade: 'A+',
      compliance_rate: 0,
      spf_pass_rate: 0,
      dkim_pass_rate: 0,
      policy_strength: 100,
      domain_scores: [{ score: 100, grade: 'A+', compliance_rate: 0 }],
      total_messages: 960,
    });
    const verdict = 'Locked: it sends no mail; receivers were asked to reject 960 forged messages.';
    expect(await card()).toMatchObject({ score: 100, grade: 'A+', verdict, compliance_rate: 0 });
    const { body } = await empty.get('/domains/locked.example/health');
    expect(body).toMatchObject({
      overall_score: 100,
      verdict,
      action_items: [],
      empty_state: { healthy: true, message: 'Everything looks good.' },
    });
    const checkedAt = new Date(now.getTime() - 8 * 86_400_000);
    await served.db.updateTable('domain_check').set({ checked_at: checkedAt }).where('domain_id', '=', id).execute();
    expect(await score()).toMatchObject({ overall_score: 20, grade: 'F' });
  });

  it('is not called healthy while a record that it publishes is broken', async () => {
    const domain = 'broken.example';
    const failing = { ip: '192.0.2.1', count: 80, dkim: false, spf: false };
    await givenReports(served.db, empty.id, [
      { ...on('2026-03-09'), domain, policy: { p: 'reject' }, records: [failing] },
    ]);
    await sql`insert into domain_check (org_id, domain_id, subject, status, details, has_record, records, checked_at, changed_at)
      select org_id, id, c.subject, c.status, c.details, true, array[c.record], now(), now() from domain
        cross join (values ('spf', 'ok', '', 'v=spf1 -all'),
          ('tls_rpt', 'error', 'The TLS-RPT record is not valid.', 'v=TLSRPTv1; ru=mailto:a@b.example'))
          as c (subject, status, details, record)
      where org_id = ${empty.id} and name = ${domain}`.execute(served.db);
    expect((await empty.get(`/domains/${domain}/health`)).body).toMatchObject({
      dns: { tls_rpt: { status: 'error' } },
      action_items: [],
      empty_state: { healthy: false, message: 'The TLS-RPT record is not valid.' },
    });
  });
});
