import { vocabulary } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenReports } from '@dmarc-ledger/testkit';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let empty: typeof org;

const failing = { dkim: false, spf: false };
const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

beforeAll(async () => {
  served = await serveApi(); // it is 2026-03-10
  org = await givenOrganization(served, 'Analytics');
  empty = await givenOrganization(served, 'Empty');
  await givenReports(served.db, org.id, [
    {
      ...on('2026-03-10'),
      records: [
        { ip: '192.0.2.1', count: 125 },
        { ip: '192.0.2.2', count: 35, ...failing },
      ],
    },
    {
      ...on('2026-03-08'),
      domain: 'example.org',
      records: [
        { ip: '192.0.2.1', count: 42, spf: false },
        { ip: '2001:db8::9', text: '2001:DB8::9', count: 10, ...failing },
      ],
    },
    { ...on('2026-02-08'), records: [{ ip: '192.0.2.3', count: 5 }] }, // the day before the window of 30 days
    { ...on('2026-03-11'), records: [{ ip: '192.0.2.3', count: 1000 }] }, // tomorrow
    { ...on('2026-03-07'), domain: 'quiet.example', records: [{ ip: '192.0.2.4', count: 0 }] },
  ]);
});
afterAll(() => served[Symbol.asyncDispose]());

describe('GET /statistics covers everything held', () => {
  const none = {
    total_reports: 0,
    total_messages: 0,
    compliant_messages: 0,
    compliance_rate: 0,
    unique_source_ips: 0,
    unique_domains: 0,
    has_data: false,
  };

  it('of the organization', async () => {
    expect((await org.get('/statistics')).body).toEqual({
      total_reports: 5,
      total_messages: 1217,
      compliant_messages: 1172,
      compliance_rate: 96.3,
      unique_source_ips: 5,
      unique_domains: 3,
      has_data: true,
    });
  });

  it.each([
    [
      'example.org',
      {
        total_reports: 1,
        total_messages: 52,
        compliant_messages: 42,
        compliance_rate: 80.77,
        unique_source_ips: 2,
        unique_domains: 1,
        has_data: true,
      },
    ],
    [
      'EXAMPLE.ORG.',
      {
        total_reports: 1,
        total_messages: 52,
        compliant_messages: 42,
        compliance_rate: 80.77,
        unique_source_ips: 2,
        unique_domains: 1,
        has_data: true,
      },
    ],
    ['quiet.example', { ...none, total_reports: 1, unique_source_ips: 1, unique_domains: 1, has_data: true }],
    ['mail.example.org', none],
    ['bücher.example', none],
  ])('of %s alone', async (domain, expected) => {
    expect((await org.get(`/statistics?domain=${encodeURIComponent(domain)}`)).body).toEqual(expected);
  });

  it('is all zeros before the first report', async () => {
    expect((await empty.get('/statistics')).body).toEqual(none);
    expect((await empty.get('/statistics?domain=')).body).toEqual(none);
  });
});

describe('GET /trends has one point a day, oldest first, the last one today', () => {
  it('with zeros where no report counts, and without what is dated after today', async () => {
    const { body } = await org.get('/trends?days=3');
    const zero = { reports: 0, total_messages: 0, compliant_messages: 0, failed_messages: 0, compliance_rate: 0 };
    expect(body).toEqual({
      days: 3,
      points: [
        {
          date: '2026-03-08',
          reports: 1,
          total_messages: 52,
          compliant_messages: 42,
          failed_messages: 10,
          compliance_rate: 80.77,
        },
        { date: '2026-03-09', ...zero },
        {
          date: '2026-03-10',
          reports: 1,
          total_messages: 160,
          compliant_messages: 125,
          failed_messages: 35,
          compliance_rate: 78.13,
        },
      ],
    });
  });

  it.each([
    ['', 30],
    ['days=1', 1],
    ['days=365', 365],
    ['days=366', 30],
    ['days=0', 30],
    ['days=-1', 30],
    ['days=x', 30],
    ['days=7.5', 30],
    ['days=', 30],
  ])('%s', async (query, days) => {
    const { body } = await org.get(`/trends?${query}`);
    expect([body.days, body.points.length, body.points.at(-1).date]).toEqual([days, days, '2026-03-10']);
  });

  it('of one domain', async () => {
    const messages = async (domain: string) =>
      (await org.get(`/trends?domain=${domain}`)).body.points.reduce(
        (sum: number, point: { total_messages: number }) => sum + point.total_messages,
        0,
      );
    expect([await messages('example.org'), await messages('example.com'), await messages('nobody.example')]).toEqual([
      52, 160, 0,
    ]);
  });
});

describe('GET /top-sources', () => {
  it('has the highest volume first, as reported', async () => {
    expect((await org.get('/top-sources')).body).toEqual({
      sources: [
        { source_ip: '192.0.2.3', count: 1005, pass: 1005, fail: 0, spf_fail: 0, dkim_fail: 0 },
        { source_ip: '192.0.2.1', count: 167, pass: 167, fail: 0, spf_fail: 42, dkim_fail: 0 },
        { source_ip: '192.0.2.2', count: 35, pass: 0, fail: 35, spf_fail: 35, dkim_fail: 35 },
        { source_ip: '2001:DB8::9', count: 10, pass: 0, fail: 10, spf_fail: 10, dkim_fail: 10 },
        { source_ip: '192.0.2.4', count: 0, pass: 0, fail: 0, spf_fail: 0, dkim_fail: 0 },
      ],
      total: 5,
      limit: 10,
      offset: 0,
    });
  });

  it('of one domain, or of none', async () => {
    const { body } = await org.get('/top-sources?domain=example.org&limit=1');
    expect(body).toEqual({
      sources: [{ source_ip: '192.0.2.1', count: 42, pass: 42, fail: 0, spf_fail: 42, dkim_fail: 0 }],
      total: 2,
      limit: 1,
      offset: 0,
    });
    expect((await org.get('/top-sources?domain=nobody.example')).body).toEqual({
      sources: [],
      total: 0,
      limit: 10,
      offset: 0,
    });
  });

  it.each([
    ['limit=500', 200],
    ['limit=0', 10],
    ['limit=x', 10],
  ])('%s', async (query, limit) => {
    expect((await org.get(`/top-sources?${query}`)).body.limit).toBe(limit);
  });

  it('as CSV has address, total, pass and fail', async () => {
    const { text, headers } = await org.get('/top-sources?format=csv&limit=2&offset=1');
    expect(text).toBe('source_ip,count,pass,fail\r\n192.0.2.1,167,167,0\r\n192.0.2.2,35,0,35\r\n');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="top-sources.csv"');
    expect((await org.get('/top-sources?format=json')).body.total).toBe(5);
  });
});

describe('GET /domains', () => {
  it('lists monitored domains by name', async () => {
    const { body } = await org.get('/domains?limit=2');
    const pending = {
      tlsrpt_enabled: false,
      tlsrpt_state: 'pending',
      forensic_enabled: false,
      forensic_state: 'pending',
      aprf_enabled: false,
      aprf_state: 'pending',
    };
    expect(body).toEqual({
      domains: ['example.com', 'example.org'].map((domain) => ({
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        domain,
        source: 'auto',
        dmarc_state: 'pending',
        ...pending,
        verified: false,
        verified_source: '',
        report_count: domain === 'example.com' ? 3 : 1,
      })),
      total: 3,
      limit: 2,
      offset: 0,
    });
    await served.db.updateTable('domain').set({ monitored: false }).where('name', '=', 'quiet.example').execute();
    expect((await org.get('/domains')).body.total).toBe(2);
  });

  it.each([
    ['verified', 'self', { verified: true, verified_source: 'self', verified_at: '2026-01-02T03:04:05Z' }],
    [
      'verified_inherited',
      'inherited',
      {
        verified: true,
        verified_source: 'inherited',
        inherited_from: 'parent.test',
        verified_at: '2026-01-02T03:04:05Z',
      },
    ],
    ['unconfirmed', 'self', { verified: true, verified_source: 'self', verified_at: '2026-01-02T03:04:05Z' }],
    ['unconfirmed', null, { verified: false, verified_source: '' }],
    ['not_published', null, { verified: false, verified_source: '' }],
  ] as const)('%s, by %s', async (dmarc_state, verified_source, expected) => {
    const inherited_from = verified_source === 'inherited' ? 'parent.test' : null;
    const verified_at = verified_source && new Date('2026-01-02T03:04:05.6Z');
    await served.db
      .updateTable('domain')
      .set({ dmarc_state, verified_source, inherited_from, verified_at })
      .where('name', '=', 'example.com')
      .execute();
    const [domain] = (await org.get('/domains')).body.domains;
    expect(domain).toMatchObject({ dmarc_state, ...expected });
    for (const field of ['verified_at', 'inherited_from']) expect(field in domain).toBe(field in expected);
  });

  it('is empty where nothing is monitored', async () => {
    expect((await empty.get('/domains')).body).toEqual({ domains: [], total: 0, limit: 50, offset: 0 });
  });
});

describe('GET /enums', () => {
  it('has every category, and deliverable on alert types alone', async () => {
    const { body } = await org.get('/enums');
    expect(Object.keys(body)).toEqual([
      'verification_state',
      'alert_type',
      'alert_severity',
      'action_item_severity',
      'reputation_status',
      'dmarc_policy',
      'health_state',
      'grade',
    ]);
    expect(body).toEqual(vocabulary);
    expect(body.alert_type).toHaveLength(49);
    expect(body.alert_type[0]).toEqual({
      code: 'first_report_received',
      label: 'First report received',
      severity: 'info',
      deliverable: true,
    });
    expect(body.grade.at(-1)).toEqual({ code: 'N/A', label: 'Not available', severity: 'neutral' });
    for (const entry of body.alert_type) expect(typeof entry.deliverable).toBe('boolean');
  });
});
