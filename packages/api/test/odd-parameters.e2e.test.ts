import { givenReports } from '@dmarc-ledger/testkit';
import { idText } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPaths } from './all-paths.ts';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let reportId: string;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Odd');
  const [id] = await givenReports(served.db, org.id, [
    { domain: 'example.com', reporter: 'Müller İnc.' },
    { domain: 'xn--bcher-kva.example', reporter: 'xn--bcher-kva.example' },
    { domain: 'example.org', reporter: 'Straße GmbH.', begin: null, end: null },
  ]);
  reportId = idText(id!);
});
afterAll(() => served[Symbol.asyncDispose]());

const days = ['0000-01-01', '0000-12-31', '0001-01-01', '1969-12-31', '2026-03-01', '9999-12-31', '10000-01-01'];
const numbers = ['0', '-1', '1', '200', '201', '2147483648', '9007199254740991', '9223372036854775808', '1e309', 'NaN'];
const texts = [
  '',
  ' ',
  '.',
  '%',
  '\\',
  "'",
  '"',
  '*',
  '\0',
  'a\0b',
  '\ud800',
  'ü',
  'İ',
  'ß',
  '(',
  '[',
  '[[:foo:]]',
  '{1}',
];
const long = [
  'a'.repeat(3_000),
  'ü'.repeat(255),
  'ﷺ'.repeat(255),
  '('.repeat(255),
  '\\'.repeat(1_000),
  '%'.repeat(1_000),
];
const words = ['true', 'TRUE', 'maybe', 'asc', 'csv', 'malicious', 'date_end', 'constructor', '__proto__'];
const names = [
  'example.com',
  'EXAMPLE.com.',
  'good.example/x',
  'a@b.example',
  'xn--',
  'xn--zzzzzzz.example',
  '127.0.0.1',
];
const addresses = ['::', '::1', '::ffff:1.2.3.4', 'fe80::1%eth0', '1.2.3', '255.255.255.255', '0.0.0.0'];
const ids = ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '00000000000000000000000000', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'];
const values = [...days, ...numbers, ...texts, ...long, ...words, ...names, ...addresses, ...ids];

/** A lone surrogate has no UTF-8 form; its three bytes are sent as they would be. */
const encoded = (value: string) => (value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80');

describe('no value of a parameter is answered with a fault of the server', () => {
  it.each(allPaths)('%s', async (path, parameters) => {
    const places = values.map((value) => path.replace(/\{\w+\}/, encoded(value)));
    const [place] = [path.replace('{id}', reportId).replace('{domain}', 'example.com').replace('{ip}', '192.0.2.1')];
    const asked = [
      ...(places[0] === place ? [] : places),
      ...parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) => values.map((value) => `${place}?${name}=${encoded(value)}`)),
      `${place}?domain=a.example&domain=b.example&from=0000-01-01&to=9999-12-31&limit=200&offset=9007199254740991`,
      `${place}?from=9999-12-31&to=0000-01-01&sort_dir=asc&sort_by=compliance&offset=9007199254740990`,
    ];
    const faults: [string, number][] = [];
    for (const one of asked) {
      const { status } = await org.ask(one);
      if (status >= 500) faults.push([one.slice(0, 120), status]);
    }
    expect(faults).toEqual([]);
  });
});

describe('a window of days', () => {
  it('may begin with the first year that a date can name, and end with the last', async () => {
    const { status, body } = await org.get('/reports?from=0000-01-01&to=9999-12-31');
    expect([status, body.total]).toEqual([200, 2]);
    expect((await org.get('/reports?to=0000-01-01')).body.total).toBe(0);
    expect((await org.get('/events?from=0000-01-01&to=9999-12-31')).status).toBe(200);
  });
});

describe('a part of a name', () => {
  it.each([
    ['domain', ' EXAMPLE.com. ', 1],
    ['domain', 'bücher.example.', 1],
    ['domain', 'BÜCH', 1],
    ['domain', 'xn--BCHER', 1],
    ['domain', 'müller', 0],
    ['domain', ' ', 3],
    ['domain', '\0', 0],
    ['domain', 'example.com\0', 0],
    ['org', '\u0001', 0],
    ['search', '\u0001', 0],
    ['org', ' MÜLLER ', 1],
    ['org', 'müller İ', 1],
    ['org', 'STRAẞE gmbh', 1],
    ['org', 'Bücher.example.', 1],
    ['org', 'straße gmbh.', 1],
    ['org', 'm.ller', 0],
  ])('/reports?%s=%s finds %i', async (name, value, total) => {
    expect((await org.get(`/reports?${name}=${encodeURIComponent(value)}`)).body.total).toBe(total);
  });
});

describe('a domain', () => {
  it.each([
    'good.example/x',
    'example.com#x',
    'example.com?x',
    'example.com:80',
    'a@example.com',
    'example.com\\x',
    'ex%61mple.com',
  ])('is not %s, in a query or in a path', async (name) => {
    expect((await org.get(`/statistics?domain=${encodeURIComponent(name)}`)).status).toBe(400);
    expect((await org.get(`/domains/${encodeURIComponent(name)}/health`)).status).toBe(400);
  });
  it('is found by its U-labels, in any case, with a dot behind it', async () => {
    const { body } = await org.get(`/statistics?domain=${encodeURIComponent(' BÜCHER.example. ')}`);
    expect(body.total_reports).toBe(1);
  });
});
