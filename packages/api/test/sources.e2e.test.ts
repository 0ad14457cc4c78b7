import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenReports } from '@dmarc-ledger/testkit';
import { listSources } from '../src/v1/sources.ts';
import { Source } from '../src/v1/source-schema.ts';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

const failing = { dkim: false, spf: false };
const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Sources');
  await givenReports(served.db, org.id, [
    {
      ...on('2026-03-01'),
      reportId: 'r1',
      records: [
        { ip: '192.0.2.10', count: 90 },
        { ip: '192.0.2.10', count: 4, spf: false },
        { ip: '192.0.2.9', count: 10, ...failing, class: 'suspicious', disposition: 'reject' },
      ],
    },
    {
      ...on('2026-03-02'),
      reportId: 'r2',
      domain: 'example.org',
      records: [
        {
          ip: '192.0.2.10',
          count: 6,
          ...failing,
          class: 'likely_forwarded',
          disposition: 'quarantine',
          headerFrom: 'a.example.org',
          reasons: [{ type: 'mailing_list', comment: null }],
        },
        { ip: '2001:db8::1', text: '2001:DB8::1', count: 7, ...failing, class: 'likely_forwarded' },
        { ip: '192.0.2.77', count: 0 },
      ],
    },
    {
      begin: null,
      end: null,
      received: '2026-03-05T00:00:00Z',
      reportId: 'r3',
      records: [{ ip: '192.0.2.33', count: 10, ...failing }],
    },
  ]);
});
afterAll(() => served[Symbol.asyncDispose]());

async function found(query: string): Promise<string[]> {
  const { body } = await org.get(`/sources?${query}`);
  expect(listSources.answer.safeParse(body).error).toBeUndefined();
  expect(body.has_any).toBe(true);
  const counted = await org.get(`/sources?${query}&limit=1`);
  expect(counted.body.total).toBe(body.sources.length);
  return body.sources.map(({ source_ip }: { source_ip: string }) => source_ip);
}

const [ten, nine, thirtyThree, six, none] = ['192.0.2.10', '192.0.2.9', '192.0.2.33', '2001:db8::1', '192.0.2.77'];

describe('GET /sources', () => {
  it('has every field of a source that nothing was looked up about', async () => {
    const { body } = await org.get('/sources?limit=1');
    expect(body).toEqual({
      sources: [
        {
          source_ip: ten,
          total_messages: 100,
          pass_count: 94,
          fail_count: 6,
          spf_fail_count: 10,
          dkim_fail_count: 6,
          compliance_rate: 94,
          first_seen: '2026-03-01T00:00:00Z',
          last_seen: '2026-03-02T23:59:59Z',
          domains: 'example.com,example.org',
          blocklist_severity: 'unchecked',
          classification: 'authenticated',
        },
      ],
      total: 5,
      limit: 1,
      offset: 0,
      has_any: true,
    });
  });

  it.each([
    ['', [ten, nine, thirtyThree, six, none]],
    ['sort_dir=asc', [none, six, nine, thirtyThree, ten]],
    ['sort_by=source_ip&sort_dir=asc', [nine, ten, thirtyThree, none, six]],
    ['sort_by=source_ip', [six, none, thirtyThree, ten, nine]],
    ['sort_by=first_seen', [none, six, nine, ten, thirtyThree]],
    ['sort_by=first_seen&sort_dir=asc', [nine, ten, none, six, thirtyThree]],
    ['sort_by=last_seen', [ten, none, six, nine, thirtyThree]],
    ['sort_by=compliance', [ten, nine, thirtyThree, none, six]],
    ['sort_by=auth_failures', [nine, thirtyThree, ten, six, none]],
    ['sort_by=domains', [ten, nine, thirtyThree, none, six]],
    ['sort_by=nonsense', [ten, nine, thirtyThree, six, none]],
    ['has_failures=true', [ten, nine, thirtyThree, six]],
    ['has_failures=1&sort_by=source_ip', [six, thirtyThree, ten, nine]],
    ['has_failures=false', [ten, nine, thirtyThree, six, none]],
    ['has_failures=x', [ten, nine, thirtyThree, six, none]],
    ['search=192.0.2.1', [ten]],
    ['search=EXAMPLE.ORG', [ten, six, none]],
    ['search=%20db8::%20', [six]],
    ['search=example', [ten, nine, thirtyThree, six, none]],
    ['search=%25', []],
    ['search=google', []],
    ['search=2.3', [thirtyThree]],
    ['search=example.org&has_failures=true', [ten, six]],
    ['search=.org&sort_by=source_ip&sort_dir=asc', [ten, none, six]],
    [`search=${'1'.repeat(200)}`, []],
    ['reputation=clean', []],
    ['reputation=UNKNOWN', []],
    ['reputation=nonsense', [ten, nine, thirtyThree, six, none]],
    ['domain=example.org', [six, ten, none]],
    ['domain=example.org&sort_by=compliance&sort_dir=asc', [ten, none, six]],
    ['domain=example.org&sort_by=domains', [ten, none, six]],
    ['domain=example.org&sort_by=auth_failures', [six, ten, none]],
    ['domain=example.org&sort_by=source_ip', [six, none, ten]],
    ['domain=example.com&sort_by=last_seen', [nine, ten, thirtyThree]],
    ['domain=example.org&has_failures=true', [six, ten]],
    ['domain=example.org&search=192', [ten, none]],
    ['domain=example.org&search=org', [six, ten, none]],
    ['domain=example.org&search=com', []],
    ['domain=nobody.example', []],
    ['domain=mail.example.org', []],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('restricts all figures to the domain', async () => {
    const { body } = await org.get('/sources?domain=example.org&search=192.0.2.10');
    expect(body.sources[0]).toMatchObject({
      total_messages: 6,
      pass_count: 0,
      fail_count: 6,
      first_seen: '2026-03-02T00:00:00Z',
      domains: 'example.org',
      classification: 'likely_forwarded',
    });
  });

  it('classifies by what fails', async () => {
    const { body } = await org.get('/sources');
    expect(body.sources.map(({ classification }: { classification: string }) => classification)).toEqual([
      'authenticated',
      'suspicious',
      'needs_review',
      'likely_forwarded',
      'needs_review',
    ]);
  });
});

describe('GET /sources/{ip}', () => {
  async function detail(ip: string) {
    const { status, body } = await org.get(`/sources/${encodeURIComponent(ip)}`);
    expect(status).toBe(200);
    expect(Source.safeParse(body).error).toBeUndefined();
    return body;
  }

  it('has every field of a source that nothing was looked up about', async () => {
    expect(await detail('192.0.2.10')).toEqual({
      source_ip: ten,
      total_messages: 100,
      pass_count: 94,
      fail_count: 6,
      spf_fail_count: 10,
      dkim_fail_count: 6,
      compliance_rate: 94,
      first_seen: '2026-03-01T00:00:00Z',
      last_seen: '2026-03-02T23:59:59Z',
      domains: ['example.com', 'example.org'],
      records: [
        {
          id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
          report_id: 'r2',
          domain: 'example.org',
          count: 6,
          disposition: 'quarantine',
          dkim_result: 'fail',
          spf_result: 'fail',
          header_from: 'a.example.org',
          org_name: 'google.com',
          date_begin: '2026-03-02T00:00:00Z',
          date_end: '2026-03-02T23:59:59Z',
        },
        {
          id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
          report_id: 'r1',
          domain: 'example.com',
          count: 94,
          disposition: 'none',
          dkim_result: 'pass',
          spf_result: 'pass',
          header_from: 'example.com',
          org_name: 'google.com',
          date_begin: '2026-03-01T00:00:00Z',
          date_end: '2026-03-01T23:59:59Z',
        },
      ],
      records_total: 2,
      timeline: [
        {
          date: '2026-03-01',
          reports: 1,
          total_messages: 94,
          compliant_messages: 94,
          failed_messages: 0,
          compliance_rate: 100,
        },
        {
          date: '2026-03-02',
          reports: 1,
          total_messages: 6,
          compliant_messages: 0,
          failed_messages: 6,
          compliance_rate: 0,
        },
      ],
      blocklist_verdict: {
        severity: 'unchecked',
        listed: 0,
        clean: 0,
        errored: 0,
        checked: 0,
        total: 0,
        score: 0,
        has_malware_c2: false,
        urgency: 'none',
        summary: 'This address has not been checked against blocklists.',
      },
      classification: 'authenticated',
    });
  });

  it.each(['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001'])(
    'finds %s, and shows its canonical spelling with the newest one that differs',
    async (form) => {
      const spelled = { source_ip: six, source_ip_as_reported: '2001:DB8::1' };
      expect(await detail(form)).toMatchObject({ ...spelled, classification: 'likely_forwarded' });
      expect((await org.get('/sources?search=db8')).body.sources).toMatchObject([spelled]);
    },
  );

  it('has the id by which each report is fetched', async () => {
    const { records } = await detail(ten);
    for (const { id, report_id } of records)
      expect((await org.get(`/reports/${id}`)).body.ReportMetadata.ReportID).toBe(report_id);
  });

  it('finds the IPv4 address that a mapped one stands for', async () => {
    expect((await detail('::ffff:192.0.2.9')).source_ip).toBe(nine);
  });

  it.each([
    [nine, 'Mail from this address fails DMARC and its reputation raises doubts. Check whether you know this sender.'],
    [
      thirtyThree,
      'Mail from this address fails DMARC and nothing tells whether it is yours. Check whether you know this sender.',
    ],
    [six, 'The failures look like ordinary forwarding: another server passed the message on after it was sent.'],
    [none, 'Reports mention this address without any messages.'],
  ])('says of %s why it is taken for what it is', async (ip, sentence) => {
    expect((await detail(ip)).classification_description).toBe(sentence);
  });

  it('has null instants, and the day of receipt, for a report without a window', async () => {
    const body = await detail(thirtyThree);
    expect(body).toMatchObject({ first_seen: null, last_seen: null });
    expect(body.records[0]).toMatchObject({ date_begin: null, date_end: null });
    expect(body.timeline).toMatchObject([{ date: '2026-03-05' }]);
  });
});

describe('a source is found by names and addresses in any of their forms', () => {
  let other: Awaited<ReturnType<typeof givenOrganization>>;

  beforeAll(async () => {
    other = await givenOrganization(served, 'Forms');
    await givenReports(served.db, other.id, [
      { ...on('2026-03-01'), domain: 'xn--bcher-kva.example', records: [{ ip: '2001:db8::a', count: 1 }] },
      { ...on('2026-03-01'), domain: 'example.org', records: [{ ip: '192.0.2.9', count: 1 }] },
    ]);
  });

  it.each([
    ['bücher', '2001:db8::a'],
    ['BÜCHER.example.', '2001:db8::a'],
    ['example.org.', '192.0.2.9'],
    ['2001:0DB8:0:0:0:0:0:000a', '2001:db8::a'],
    ['::ffff:192.0.2.9', '192.0.2.9'],
  ])('%s', async (text, address) => {
    const domain = address === '192.0.2.9' ? 'example.org' : 'xn--bcher-kva.example';
    for (const filter of ['', `&domain=${domain}`]) {
      const { body } = await other.get(`/sources?search=${encodeURIComponent(text)}${filter}`);
      expect(body).toMatchObject({ total: 1, sources: [{ source_ip: address }] });
    }
  });
});

it.each(['', '&domain=example.com'])(
  'an address is found by a part of the spelling that reports have%s',
  async (filter) => {
    const spelled = await givenOrganization(served, `Spelling ${filter}`);
    await givenReports(served.db, spelled.id, [
      { records: [{ ip: '2001:db8::1', text: '2001:0db8:0:0:0:0:0:1' }, { ip: '2001:db8::2' }, { ip: '192.0.2.1' }] },
    ]);
    const found = async (search: string) => {
      const { body } = await spelled.get(`/sources?search=${search}&sort_by=source_ip&sort_dir=asc${filter}`);
      return [body.total, body.sources.map(({ source_ip }: { source_ip: string }) => source_ip)];
    };
    expect(await found('0db8')).toEqual([1, ['2001:db8::1']]);
    expect(await found('db8')).toEqual([2, ['2001:db8::1', '2001:db8::2']]);
  },
);

it('an address that is searched in full comes first, and the others follow in their order on every page', async () => {
  const many = await givenOrganization(served, 'Similar');
  const records = [12, 11, 1, 10, 100].map((last, i) => ({ ip: `192.0.2.${last}`, count: 100 - i }));
  await givenReports(served.db, many.id, [{ ...on('2026-03-01'), records }]);
  const page = async (query: string) =>
    (await many.get(`/sources?search=192.0.2.1${query}`)).body.sources.map(
      ({ source_ip }: { source_ip: string }) => source_ip,
    );
  const all = ['192.0.2.1', '192.0.2.12', '192.0.2.11', '192.0.2.10', '192.0.2.100'];
  expect(await page('')).toEqual(all);
  expect([
    ...(await page('&limit=2')),
    ...(await page('&limit=2&offset=2')),
    ...(await page('&limit=2&offset=4')),
  ]).toEqual(all);
  expect(await page('&sort_by=source_ip&sort_dir=asc')).toEqual([
    '192.0.2.1',
    '192.0.2.10',
    '192.0.2.11',
    '192.0.2.12',
    '192.0.2.100',
  ]);
});

describe('the rows of a source', () => {
  it('are the newest fifty reports; of each, the record with most messages, of equals the worst, speaks', async () => {
    const busy = await givenOrganization(served, 'Busy');
    const many = Array.from({ length: 60 }, (_, i) => ({
      ...on(new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10)),
      reportId: `n${i}`,
    }));
    await givenReports(served.db, busy.id, [
      ...many,
      {
        ...on('2026-01-01'),
        reportId: 'tie',
        records: [
          { count: 5 },
          { count: 5, ...failing, disposition: 'none' },
          { count: 5, ...failing, disposition: 'reject' },
          { count: 5, ...failing, disposition: 'quarantine' },
        ],
      },
    ]);
    const { body } = await busy.get('/sources/203.0.113.5');
    expect(body.records).toHaveLength(50);
    expect(body.records_total).toBe(61);
    expect(body.records[0]).toMatchObject({
      report_id: 'tie',
      count: 20,
      disposition: 'reject',
      dkim_result: 'fail',
      spf_result: 'fail',
    });
    expect(body.records.slice(1, 3).map(({ report_id }: { report_id: string }) => report_id)).toEqual(['n59', 'n58']);
    expect(body.timeline).toHaveLength(61);
  });
});
