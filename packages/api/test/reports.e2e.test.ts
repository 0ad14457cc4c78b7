import { idText } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenReports } from '@dmarc-ledger/testkit';
import { listReports } from '../src/v1/reports.ts';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let ids: string[];

const failing = { dkim: false, spf: false };

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Reports');
  ids = await givenReports(served.db, org.id, [
    // 0: one day, passes wholly
    {
      domain: 'example.com',
      reporter: 'google.com',
      reportId: 'g-1',
      begin: '2026-03-01T00:00:00Z',
      end: '2026-03-01T23:59:59Z',
      records: [{ count: 8 }],
    },
    // 1: ends at the next midnight, one of two failing
    {
      domain: 'example.org',
      reporter: 'Yahoo, Inc.',
      reportId: '=cmd|"x"',
      begin: '2026-03-02T00:00:00Z',
      end: '2026-03-03T00:00:00Z',
      policy: { p: 'reject' },
      records: [
        { count: 2, ip: '2001:db8::1' },
        { count: 1, ip: '192.0.2.7', ...failing },
      ],
    },
    // 2: no messages
    {
      domain: 'mail.example.com',
      reporter: 'google.com',
      reportId: '100%_x',
      begin: '2026-03-03T10:00:00Z',
      end: '2026-03-04T10:00:00Z',
      records: [{ count: 0 }],
    },
    // 3: no window, no reporter, no id
    {
      domain: 'other.example',
      reporter: null,
      reportId: null,
      begin: null,
      end: null,
      records: [{ count: 5, ip: '192.0.2.7', ...failing }],
    },
    // 4: passes by DKIM alone; the same end as 0
    {
      domain: 'example.net',
      reporter: 'Enterprise Outlook',
      reportId: 'zzz',
      begin: '2026-03-01T00:00:00Z',
      end: '2026-03-01T23:59:59Z',
      received: '2026-03-05T01:02:03.999Z',
      records: [{ count: 10, spf: false }],
    },
  ]);
});
afterAll(() => served[Symbol.asyncDispose]());

/** The indices of the reports that a query finds, in order. */
async function found(query: string): Promise<number[]> {
  const { body } = await org.get(`/reports?${query}`);
  expect(listReports.answer.safeParse(body).error).toBeUndefined();
  return body.reports.map(({ id }: { id: string }) => ids.map(idText).indexOf(id));
}

describe('a row of the list', () => {
  it('has every field of the contract', async () => {
    const { body } = await org.get('/reports?domain=example.org');
    expect(body).toEqual({
      reports: [
        {
          id: idText(ids[1]!),
          report_id: '=cmd|"x"',
          org_name: 'Yahoo, Inc.',
          domain: 'example.org',
          total_messages: 3,
          compliant_messages: 2,
          compliance_rate: 66.67,
          policy_p: 'reject',
          date_begin: '2026-03-02T00:00:00Z',
          date_end: '2026-03-03T00:00:00Z',
          received_at: '2026-03-02T04:00:00Z',
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
      has_any: true,
    });
  });

  it('has null for what was not sent, and cuts fractions of seconds', async () => {
    const { body } = await org.get('/reports?domain=other');
    expect(body.reports[0]).toMatchObject({ report_id: null, org_name: null, date_begin: null, date_end: null });
    expect((await org.get('/reports?domain=example.net')).body.reports[0].received_at).toBe('2026-03-05T01:02:03Z');
  });
});

describe('filters', () => {
  it.each([
    ['domain=EXAMPLE.com', [2, 0]],
    ['domain=example', [2, 1, 4, 0, 3]],
    ['domain=%25', []],
    ['domain=_', []],
    ['domain=nothing', []],
    ['org=GOO', [2, 0]],
    ['org=yahoo', [1]],
    ['org=google.com', [2, 0]],
    ['org=google.com.', [2, 0]],
    ['org=goo.', []],
    ['org=.com.', [2, 0]],
    ['org=google.', [2, 0]],
    ['org=%25', []],
    ['org=google&domain=mail', [2]],
    ['result=pass', [0, 4]],
    ['result=FAIL', [1, 3]],
    ['result=nonsense', [2, 1, 0, 4, 3]],
    ['result=fail&domain=example.org', [1]],
    ['result=fail&org=yahoo', [1]],
    ['result=pass&from=2026-03-01', [0, 4]],
    ['source_ip=192.0.2.7', [1, 3]],
    ['source_ip=2001:DB8:0:0::1', [1]],
    ['source_ip=::ffff:192.0.2.7', [1, 3]],
    ['source_ip=nonsense', []],
    ['source_ip=%20192.0.2.7%20', [1, 3]],
    ['source_ip=%20', [2, 1, 0, 4, 3]],
    ['source_ip=198.51.100.1', []],
    ['source_ip=192.0.2.7&domain=other', [3]],
    ['source_ip=192.0.2.7&from=2026-03-02', [1]],
    ['source_ip=192.0.2.7&result=fail', [1, 3]],
    ['source_ip=192.0.2.7&to=2026-03-01', []],
    ['from=2026-03-02', [2, 1]],
    ['from=2026-03-01', [2, 1, 0, 4]],
    ['to=2026-03-02', [0, 4]],
    ['to=2026-03-03', [1, 0, 4]],
    ['from=2026-03-02&to=2026-03-02', []],
    ['from=2026-03-02&to=2026-03-03', [1]],
    ['from=2026-03-04&to=2026-03-01', []],
    ['from=2026-03-01&sort_dir=asc', [0, 4, 1, 2]],
    ['from=&to=&domain=&result=', [2, 1, 0, 4, 3]],
    ['search=google', [2, 0]],
    ['search=GOOGLE%20mail', [2]],
    ['search=g-1', [0]],
    ['search=100%25_', [2]],
    ['search=zz', [4]],
    ['search=gogle.com', [2, 0]],
    ['search=%20%20', [2, 1, 0, 4, 3]],
    ['search=qqqq', []],
    ['search=%00google', [2, 0]],
    ['search=google%20qqqq', []],
    ['search=google&result=pass', [0]],
    [`search=${'x'.repeat(300)}`, []],
    ['domain=mail&domain=other', [2]],
    ['unknown=1', [2, 1, 0, 4, 3]],
  ])('%s', async (query, expected) => {
    const order = new Set(expected);
    const got = await found(query);
    expect(new Set(got)).toEqual(order);
    // 0 and 4 end at the same instant, and ids made in one millisecond have no order of their own.
    const ends = [1, 2, 3, 0, 1];
    expect(got.map((i) => ends[i])).toEqual(expected.map((i) => ends[i]));
    const { body } = await org.get(`/reports?${query}&limit=1`);
    expect(body.total).toBe(expected.length);
    expect(body.has_any).toBe(true);
  });
});

it('a report whose id is searched comes first in the default order, and the others follow on every page', async () => {
  const other = await givenOrganization(served, 'Similar');
  const ids = ['abc-12', 'abc-1', 'abc-11', 'ABC-1', 'abc-10'];
  await givenReports(
    served.db,
    other.id,
    ids.map((reportId, i) => ({ begin: `2026-02-0${9 - i}T00:00:00Z`, end: `2026-02-0${9 - i}T23:59:59Z`, reportId })),
  );
  const page = async (query: string) =>
    (await other.get(`/reports?search=abc-1${query}`)).body.reports.map(
      ({ report_id }: { report_id: string }) => report_id,
    );
  const all = ['abc-1', 'ABC-1', 'abc-12', 'abc-11', 'abc-10'];
  expect(await page('')).toEqual(all);
  expect([...(await page('&limit=3')), ...(await page('&limit=3&offset=3'))]).toEqual(all);
  expect([...(await page('&limit=1&offset=1')), ...(await page('&limit=1&offset=2'))]).toEqual(all.slice(1, 3));
  expect(await page('&sort_dir=asc')).toEqual(ids.toReversed());
});

it('a search finds the reports of an internationalized domain by the name that people write', async () => {
  const other = await givenOrganization(served, 'Names');
  await givenReports(served.db, other.id, [
    { domain: 'xn--bcher-kva.example', reporter: 'xn--mller-kva.test', reportId: 'r-1' },
    { domain: 'other.test', reporter: 'google.com', reportId: 'r-2' },
  ]);
  for (const text of ['bücher', 'BÜCHER.example.', 'müller', 'xn--bcher']) {
    const { body } = await other.get(`/reports?search=${encodeURIComponent(text)}`);
    expect({ text, reports: body.reports }).toMatchObject({ text, reports: [{ domain: 'xn--bcher-kva.example' }] });
  }
});

describe('paging', () => {
  it.each([
    ['', 50, 0],
    ['limit=2', 2, 0],
    ['limit=200', 200, 0],
    ['limit=201', 200, 0],
    ['limit=99999999999999999999999', 200, 0],
    ['limit=0', 50, 0],
    ['limit=-3', 50, 0],
    ['limit=5.0', 50, 0],
    ['limit=1e2', 50, 0],
    ['limit=%2B5', 50, 0],
    ['limit=0x10', 50, 0],
    ['limit=%205', 50, 0],
    ['limit=', 50, 0],
    ['limit=abc', 50, 0],
    ['limit=007', 7, 0],
    ['offset=3', 50, 3],
    ['offset=-3', 50, 0],
    ['offset=1.5', 50, 0],
    ['offset=x', 50, 0],
    ['offset=', 50, 0],
    ['limit=3&limit=4', 3, 0],
  ])('%s', async (query, limit, offset) => {
    const { body } = await org.get(`/reports?${query}`);
    expect([body.limit, body.offset, body.total]).toEqual([limit, offset, 5]);
    expect(body.reports).toHaveLength(Math.min(limit, 5 - offset));
  });

  it('past the end is an empty page with the true total', async () => {
    const { body } = await org.get('/reports?offset=9999999999999999999');
    expect([body.reports, body.total]).toEqual([[], 5]);
  });
});

describe('sorting settles ties by id, ascending, and puts what is missing last', () => {
  it.each([
    [
      'sort_by=domain&sort_dir=asc',
      ['example.com', 'example.net', 'example.org', 'mail.example.com', 'other.example'],
      'domain',
    ],
    ['sort_by=DOMAIN', ['other.example', 'mail.example.com', 'example.org', 'example.net', 'example.com'], 'domain'],
    ['sort_by=total_messages', [10, 8, 5, 3, 0], 'total_messages'],
    ['sort_by=total_messages&sort_dir=ASC', [0, 3, 5, 8, 10], 'total_messages'],
    ['sort_by=compliance', [100, 100, 66.67, 0, 0], 'compliance_rate'],
    ['sort_by=org_name', ['Yahoo, Inc.', 'google.com', 'google.com', 'Enterprise Outlook', null], 'org_name'],
    [
      'sort_by=org_name&sort_dir=asc',
      ['Enterprise Outlook', 'google.com', 'google.com', 'Yahoo, Inc.', null],
      'org_name',
    ],
    ['sort_by=report_id&sort_dir=asc', ['100%_x', '=cmd|"x"', 'g-1', 'zzz', null], 'report_id'],
    ['sort_by=report_id', ['zzz', 'g-1', '=cmd|"x"', '100%_x', null], 'report_id'],
    [
      'sort_by=date_end&sort_dir=asc',
      ['2026-03-01T23:59:59Z', '2026-03-01T23:59:59Z', '2026-03-03T00:00:00Z', '2026-03-04T10:00:00Z', null],
      'date_end',
    ],
    [
      'sort_by=nonsense',
      ['2026-03-04T10:00:00Z', '2026-03-03T00:00:00Z', '2026-03-01T23:59:59Z', '2026-03-01T23:59:59Z', null],
      'date_end',
    ],
    ['sort_by=received', ['2026-03-05T01:02:03Z', ...Array<string>(4).fill('2026-03-02T04:00:00Z')], 'received_at'],
  ])('%s', async (query, expected, field) => {
    const { body } = await org.get(`/reports?${query}`);
    expect(body.reports.map((row: { [name: string]: unknown }) => row[field])).toEqual(expected);
    const ties = Map.groupBy<unknown, { id: string }>(
      body.reports,
      (row) => (row as { [name: string]: unknown })[field],
    ).values();
    for (const ids of [...ties].map((rows) => rows.map(({ id }) => id))) expect(ids).toEqual(ids.toSorted());
    const pages = await Promise.all(
      [0, 1, 2, 3, 4].map(async (offset) => (await org.get(`/reports?${query}&limit=1&offset=${offset}`)).body.reports),
    );
    expect(pages.flat()).toEqual(body.reports);
  });
});

describe('files', () => {
  it('CSV is RFC 4180 without received_at, the window as days, formulas disarmed', async () => {
    const { text, headers, status } = await org.get('/reports?format=csv&sort_by=domain&sort_dir=asc&limit=200');
    const id = (i: number) => idText(ids[i]!);
    expect(status).toBe(200);
    expect(text).toBe(
      [
        'id,report_id,org_name,domain,total_messages,compliant_messages,compliance_rate,policy_p,date_begin,date_end',
        `${id(0)},g-1,google.com,example.com,8,8,100,none,2026-03-01,2026-03-01`,
        `${id(4)},zzz,Enterprise Outlook,example.net,10,10,100,none,2026-03-01,2026-03-01`,
        `${id(1)},"'=cmd|""x""","Yahoo, Inc.",example.org,3,2,66.67,reject,2026-03-02,2026-03-03`,
        `${id(2)},100%_x,google.com,mail.example.com,0,0,0,none,2026-03-03,2026-03-04`,
        `${id(3)},,,other.example,5,0,0,none,,`,
        '',
      ].join('\r\n'),
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="reports.csv"');
  });

  it('JSON is the rows alone', async () => {
    const { body, headers } = await org.get('/reports?format=JSON&limit=2');
    expect(body).toEqual((await org.get('/reports?limit=2')).body.reports);
    expect(headers.get('content-disposition')).toBe('attachment; filename="reports.json"');
  });

  it('any other format is ignored', async () => {
    expect((await org.get('/reports?format=xml')).body.total).toBe(5);
  });
});

describe('the date range', () => {
  it('given as from and to returns every report with a window', async () => {
    const { body } = await org.get('/reports/date-range');
    expect(body).toEqual({ earliest: '2026-03-01', latest: '2026-03-04' });
    expect((await org.get(`/reports?from=${body.earliest}&to=${body.latest}`)).body.total).toBe(4);
  });

  it('is null without reports, and nothing is held then', async () => {
    const empty = await givenOrganization(served, 'Empty');
    expect((await empty.get('/reports/date-range')).body).toEqual({ earliest: null, latest: null });
    expect((await empty.get('/reports')).body).toEqual({ reports: [], total: 0, limit: 50, offset: 0, has_any: false });
  });
});
