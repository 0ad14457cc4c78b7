import { idText, newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenReports } from '@dmarc-ledger/testkit';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let mine: Awaited<ReturnType<typeof givenOrganization>>;
let theirs: typeof mine;
let theirReport: string;

beforeAll(async () => {
  served = await serveApi();
  mine = await givenOrganization(served, 'Mine');
  theirs = await givenOrganization(served, 'Theirs');
  await givenReports(served.db, mine.id, [
    { domain: 'mine.example', reporter: 'Mine Inc.', records: [{ ip: '192.0.2.1' }] },
  ]);
  const [id] = await givenReports(served.db, theirs.id, [
    {
      domain: 'theirs.example',
      reporter: 'Secret Inc.',
      reportId: 'secret-id',
      records: [{ ip: '198.51.100.7', count: 99 }],
    },
  ]);
  theirReport = idText(id!);
});
afterAll(() => served[Symbol.asyncDispose]());

describe('what belongs to another organization answers byte for byte like what does not exist', () => {
  it.each([
    ['a report', () => `/reports/${theirReport}`, () => `/reports/${idText(newId())}`],
    ['a source', () => '/sources/198.51.100.7', () => '/sources/198.51.100.8'],
    ['a domain in statistics', () => '/statistics?domain=theirs.example', () => '/statistics?domain=nobody.example'],
    ['a domain in trends', () => '/trends?domain=theirs.example', () => '/trends?domain=nobody.example'],
    ['a domain in top sources', () => '/top-sources?domain=theirs.example', () => '/top-sources?domain=nobody.example'],
    ['a domain in sources', () => '/sources?domain=theirs.example', () => '/sources?domain=nobody.example'],
    ['a domain in reports', () => '/reports?domain=theirs', () => '/reports?domain=nobody'],
    ['a reporter', () => '/reports?org=secret', () => '/reports?org=nobody'],
    ['a report id', () => '/reports?search=secret-id', () => '/reports?search=nobody-id'],
    ['an address in reports', () => '/reports?source_ip=198.51.100.7', () => '/reports?source_ip=198.51.100.8'],
    ['an address in a search', () => '/sources?search=198.51', () => '/sources?search=203.0'],
  ])('%s', async (_, foreign, absent) => {
    const [got, expected] = [await mine.get(foreign()), await mine.get(absent())];
    expect([got.status, got.text]).toEqual([expected.status, expected.text]);
  });

  it('and their own key finds it', async () => {
    expect((await theirs.get(`/reports/${theirReport}`)).status).toBe(200);
    expect((await theirs.get('/reports?search=secret-id')).body.total).toBe(1);
  });
});
