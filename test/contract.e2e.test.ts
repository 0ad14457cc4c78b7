import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descriptionsAt } from './support/contract/descriptions.ts';
import { contractFields, valuesAt } from './support/contract/fields.ts';
import { addresses, domains, openSite, type Site } from './support/contract/site.ts';
import { temporaryFolder } from './support/folder.ts';

interface Document {
  paths: { [path: string]: { get: { responses: { [status: string]: unknown } } } };
}

interface Got {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- of whatever shape the endpoint has
  body: any;
}

const folder = temporaryFolder();
let site: Site;
let document: Document;
let ajv: Ajv2020;
/** Answers that differ from the OpenAPI document. */
const faults: string[] = [];
const asked = new Map<string, { fields: Set<string>; parameters: Set<string>; statuses: Set<number> }>();

beforeAll(async () => {
  site = await openSite(folder.path);
  document = (await (await fetch(`${site.instance.apiUrl}/v1/openapi.json`)).json()) as Document;
  ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', ...document });
}, 240_000);
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function get(path: string, headers: { [name: string]: string } = {}, method = 'GET'): Promise<Got> {
  const authorization = `Bearer ${site.instance.key}`;
  const response = await fetch(`${site.instance.apiUrl}/v1${path}`, { method, headers: { authorization, ...headers } });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Requests an endpoint, checks the answer against its description, and records the fields in it. */
async function ask(template: string, query = '', place = template): Promise<Got> {
  const got = await get(`${place}${query && `?${query}`}`);
  const seen = asked.get(template) ?? { fields: new Set(), parameters: new Set(), statuses: new Set() };
  asked.set(template, seen);
  seen.statuses.add(got.status);
  for (const name of new URLSearchParams(query).keys()) seen.parameters.add(name);
  if (got.status === 200 && got.body !== undefined && !Array.isArray(got.body)) noteAnswer(template, place, got.body);
  return got;
}

function noteAnswer(template: string, place: string, body: unknown): void {
  const answer = ['get', 'responses', '200', 'content', 'application~1json', 'schema'].join('/');
  const validate = ajv.getSchema(`openapi#/paths/${template.replaceAll('/', '~1')}/${answer}`);
  if (!validate?.(body)) faults.push(`${place} is not as described: ${JSON.stringify(validate?.errors)}`);
  for (const field of contractFields.get(template) ?? []) {
    const isPresent = valuesAt(body, field).some((value) => value !== null && value !== undefined);
    if (isPresent) asked.get(template)!.fields.add(field);
  }
}

const lists = ['/reports', '/sources', '/events', '/domains', '/top-sources'];
const filtered = ['/compliance-score', '/statistics', '/top-sources', '/trends', '/sources'];

describe('the contract, over HTTP', () => {
  it('returns every field of every endpoint', async () => {
    const { body: reports } = await ask('/reports');
    expect(reports.total).toBe(4);
    const askAll = async () => {
      for (const path of document ? Object.keys(document.paths) : []) if (!path.includes('{')) await ask(path);
      for (const { id } of reports.reports) await ask('/reports/{id}', '', `/reports/${id}`);
      for (const domain of Object.values(domains))
        await ask('/domains/{domain}/health', '', `/domains/${domain}/health`);
      for (const ip of Object.values(addresses)) await ask('/sources/{ip}', '', `/sources/${ip}`);
      return [...contractFields].flatMap(([path, fields]) =>
        fields.filter((field) => !asked.get(path)?.fields.has(field)).map((field) => `${path} ${field}`),
      );
    };
    // events are raised, and sources judged, after the commands have ended
    await expect.poll(askAll, { timeout: 60_000, interval: 500 }).toEqual([]);
  });

  it('has the sixteen endpoints and no other', () => {
    expect(Object.keys(document.paths).toSorted()).toEqual([...contractFields.keys()].toSorted());
  });

  it('describes every field', () => {
    const undescribed = [...contractFields].flatMap(([path, fields]) =>
      fields.filter((field) => descriptionsAt(document, path, field).length === 0).map((field) => `${path} ${field}`),
    );
    expect(undescribed).toEqual([]);
  });

  it.each(lists)('pages %s as it says', async (path) => {
    const standard = path === '/top-sources' ? 10 : 50;
    for (const [query, limit, offset] of [
      ['', standard, 0],
      ['limit=1&offset=1', 1, 1],
      ['limit=1000&offset=-5', 200, 0],
      ['limit=0&offset=x', standard, 0],
      ['limit=-3', standard, 0],
      ['limit=1e2', standard, 0],
      ['limit=99999999999999999999', 200, 0],
    ] as const)
      expect((await ask(path, query)).body).toMatchObject({ limit, offset });
  });

  it.each(filtered)('restricts %s to one domain, matched exactly', async (path) => {
    expect((await ask(path, `domain=${domains.full}`)).status).toBe(200);
    expect((await ask(path, 'domain=unknown.example')).status).toBe(200);
    expect(await ask(path, 'domain=not_a_domain')).toMatchObject({
      status: 400,
      body: { error: 'Invalid Domain Name' },
    });
  });

  it('filters and sorts reports', async () => {
    const ids = async (query: string) =>
      (await ask('/reports', query)).body.reports.map(({ report_id }: { report_id: string }) => report_id);
    expect(await ids('domain=firm')).toHaveLength(2);
    expect(await ids('org=HARB&result=pass')).toEqual(['harbor-2']);
    expect(await ids('result=fail&sort_by=domain&sort_dir=asc')).toEqual(['harbor-3', 'harbor-4', 'harbor-1']);
    expect(await ids(`source_ip=${addresses.listed}`)).toEqual(['harbor-1']);
    expect(await ids('search=harbor-2')).toContain('harbor-2');
    expect(await ids('from=2001-01-01&to=2001-01-02')).toEqual([]);
    for (const sort of ['date_end', 'received', 'org_name', 'domain', 'total_messages', 'report_id', 'compliance'])
      expect(await ids(`sort_by=${sort}&sort_dir=asc`)).toHaveLength(4);
    for (const query of ['from=2025-02-30', 'to=yesterday']) expect((await ask('/reports', query)).status).toBe(400);
    const csv = await ask('/reports', 'format=csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="reports.csv"');
    expect(csv.text.split('\r\n')[0]).toContain('id,report_id,org_name,domain,total_messages');
    expect((await ask('/reports', 'format=json')).body).toHaveLength(4);
    expect((await ask('/top-sources', 'format=csv')).text).toMatch(/^source_ip,count,pass,fail\r\n/);
  });

  it('filters and sorts sources and events, and takes days', async () => {
    const found = async (query: string) => (await ask('/sources', query)).body.total;
    expect(await found('reputation=malicious')).toBe(1);
    expect(await found('reputation=nonsense')).toBe(4);
    expect(await found('has_failures=true')).toBe(4);
    expect(await found(`search=${addresses.unknown}`)).toBe(1);
    for (const sort of [
      'total_messages',
      'source_ip',
      'first_seen',
      'last_seen',
      'compliance',
      'auth_failures',
      'domains',
    ])
      expect(await found(`sort_by=${sort}&sort_dir=asc`)).toBe(4);
    expect((await ask('/events', 'acknowledged=false')).status).toBe(200);
    expect((await ask('/events', 'from=2026-13-01')).status).toBe(400);
    expect((await ask('/events', 'to=x')).status).toBe(400);
    expect((await ask('/trends', 'days=7')).body.points).toHaveLength(7);
    expect((await ask('/trends', 'days=400')).body.days).toBe(30);
    expect((await ask('/compliance-score/history', 'days=2')).body.days).toBe(2);
    expect((await ask('/api-keys/usage', 'days=2')).body.granularity).toBe('hour');
    expect((await ask('/api-keys/usage', 'days=91')).status).toBe(400);
  });

  it('answers what it does not have, and what it does not take', async () => {
    for (const [template, place, status] of [
      ['/reports/{id}', '/reports/!', 400],
      ['/reports/{id}', '/reports/01ARZ3NDEKTSV4RRFFQ69G5FAV', 404],
      ['/sources/{ip}', '/sources/300.1.1.1', 400],
      ['/sources/{ip}', '/sources/192.0.2.200', 404],
      ['/domains/{domain}/health', '/domains/x/health', 400],
      ['/domains/{domain}/health', '/domains/unknown.example/health', 404],
    ] as const) {
      const got = await ask(template, '', place);
      expect([place, got.status, typeof got.body.error]).toEqual([place, status, 'string']);
    }
    for (const path of Object.keys(document.paths)) {
      const got = await get(path.replace(/\{\w+\}/, '192.0.2.1'), {}, 'POST');
      expect([path, got.status, got.headers.get('allow'), got.text]).toEqual([path, 405, 'GET', '']);
    }
    expect(await get('/nothing')).toMatchObject({ status: 404, body: { error: 'Not Found' } });
    expect(await get('/reports', { authorization: '' })).toMatchObject({
      status: 401,
      body: { error: 'Invalid API Key' },
    });
  });

  it('returns the state of the quota with every metered answer', async () => {
    for (const path of ['/reports', '/reports/!', '/sources/192.0.2.200']) {
      const { headers } = await get(path);
      expect(headers.get('x-ratelimit-limit')).toBe('1000000');
      expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(1_000_000);
      expect(Number(headers.get('x-ratelimit-reset')) % 3_600).toBe(0);
      expect(headers.get('ratelimit-policy')).toBe('"hourly";q=1000000;w=3600');
      expect(headers.get('ratelimit')).toMatch(/^"hourly";r=\d+;t=\d+$/);
    }
  });

  it('has been asked for all of it', () => {
    const lines = [...contractFields].map(([path, fields]) => {
      const { fields: seen, parameters, statuses } = asked.get(path)!;
      const found = `${seen.size} of ${fields.length} fields`;
      return `${path.padEnd(28)} ${found.padEnd(18)} ${[...statuses].join(' ').padEnd(12)} ${[...parameters].join(' ')}`;
    });
    process.stdout.write(`${lines.join('\n')}\n`);
    expect(faults).toEqual([]);
    for (const [path, fields] of contractFields) expect(asked.get(path)!.fields.size).toBe(fields.length);
  });
});
