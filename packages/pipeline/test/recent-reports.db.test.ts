import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { createOrganization, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import { readReports, ReportError, type ReportReading } from '@dmarc-ledger/rua';
import { cloneDatabase, DAY_ONE, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { alignReports, classifyReports, receiveMessages, RecentReports, takeIn } from '../src/index.ts';
import { reportIdentity } from '../src/intake/report-identity.ts';

const FIXTURES = join(import.meta.dirname, '../../rua/test/fixtures');
const organizationalDomain = publicSuffixDomains();

let database: ClonedDatabase;
let folder: string;
let blobs: BlobStore;
beforeEach(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Tables that statements of the pool's own queries name. */
function watchedReads(tables: Set<string>): KyselyPlugin {
  return {
    transformQuery({ node }) {
      for (const [, table] of JSON.stringify(node).matchAll(/"identifier":\{"kind":"IdentifierNode","name":"(\w+)"\}/g))
        tables.add(table!);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

async function store(contents: readonly Buffer[], recent?: RecentReports): Promise<string> {
  const { id: orgId } = await createOrganization(database.db, { name: randomUUID() });
  const arrivals = contents.map((content) => ({ content, source: 'file' as const, name: null }));
  await receiveMessages({ database, blobs }, orgId, arrivals);
  const claimant = openClaimant(database);
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const needs = { database, blobs, claimant, dimensions: openDimensions(database), recent, onFault };
  while ((await takeIn(needs, null)) !== null);
  claimant.release();
  return orgId;
}

/** Judges what waits, and returns the tables that were read meanwhile. */
async function judge(orgId: string, recent?: RecentReports): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select report_id as id from unjudged_report where org_id = $1',
    [orgId],
  );
  const payload = { orgId, reportIds: rows.map(({ id }) => id) };
  const tables = new Set<string>();
  const watched = { ...database, db: database.db.withPlugin(watchedReads(tables)) };
  await alignReports({ database: watched, organizationalDomain, recent }, payload);
  await classifyReports({ database }, payload);
  return tables;
}

/** All that judging has recorded for an organization, by the names and identities that others have too. */
async function judgement(orgId: string): Promise<string[][]> {
  const statements = [
    `select encode(r.identity, 'hex') as identity, w.code, w.detail from parse_warning w join report r on r.org_id = w.org_id and r.id = w.report_id
     where w.org_id = $1`,
    `select encode(r.identity, 'hex') as identity, x.position, x.class, x.proved, x.dkim_aligned, x.spf_aligned from report_record x
       join report r on r.org_id = x.org_id and r.id = x.report_id where x.org_id = $1`,
    `select d.name, p.signer, p.selector, p.day, p.messages from dkim_pass p join domain d on d.id = p.domain_id
     where p.org_id = $1`,
    `select d.name, p.signer, p.selector, p.source_ip, p.day, p.messages from dkim_failure p
       join domain d on d.id = p.domain_id where p.org_id = $1`,
    `select d.name, s.signer, s.selector, s.last_day, s.first_day from dkim_selector s join domain d on d.id = s.domain_id
     where s.org_id = $1`,
    'select name, first_day, day, messages from sending_subdomain where org_id = $1',
    'select address from ip_interest where org_id = $1',
    'select source_ip from unjudged_source where org_id = $1',
  ];
  const all: string[][] = [];
  for (const statement of statements) {
    const { rows } = await database.pool.query(statement, [orgId]);
    all.push(rows.map((row) => JSON.stringify(row)).toSorted());
  }
  return all;
}

/** Documents of all shapes, without further copies of a report: which copy counts is another question. */
async function fixtures(): Promise<Buffer[]> {
  const names = (await readdir(FIXTURES)).filter((name) => name.endsWith('.xml'));
  const documents = await Promise.all(names.map((name) => readFile(join(FIXTURES, name))));
  const first = new Map<string, Buffer>();
  for (const document of documents) {
    const [read, ...more] = readable(document);
    if (read && more.length === 0) first.set(reportIdentity(read.header).toString('hex'), document);
  }
  return [...first.values()];
}

function readable(document: Buffer): ReportReading[] {
  try {
    return readReports(document, { receivedAt: DAY_ONE, name: null }).flatMap((read) =>
      read instanceof ReportError ? [] : [read],
    );
  } catch {
    return []; // refused as a whole
  }
}

const ADDRESSES = [
  '::1.2.3.4',
  '::ffff:192.0.2.9',
  '2001:db8:0:1:1:1:1:1',
  '2001:0DB8::0:1',
  '64:ff9b::c000:201',
  '::',
];

it('judges what was just stored as it judges what it reads back', async () => {
  const records = Array.from({ length: 6_000 }, (_, i) => ({
    ip: i < ADDRESSES.length ? ADDRESSES[i]! : `45.0.${(i % 3_000) >> 8}.${i & 255}`,
    count: 1 + (i % 7),
    dkim: i % 3 ? ('pass' as const) : ('fail' as const),
    selector: `s${i % 50}`,
    headerFrom: i % 11 ? 'example.com' : `news${i % 20}.example.com`,
  }));
  const contents = [...(await fixtures()), reportXml({ id: 'long', records }), reportXml({ id: 'short' })];
  const recent = new RecentReports();
  const kept = await store(contents, recent);
  const read = await store(contents);
  expect(await judge(kept, recent)).not.toContain('report_record');
  expect(await judge(read)).toContain('report_record');
  const [one, other] = [await judgement(kept), await judgement(read)];
  for (const [i, rows] of one.entries()) expect(rows).toEqual(other[i]);
  expect(one.map((rows) => rows.length)).not.toContain(0);
});

it('reads records back that show more than is kept', async () => {
  const recent = new RecentReports({ most: 2 });
  const addresses = ['45.0.0.1', '45.0.0.2', '45.0.0.3'].map((ip) => ({ ip, count: 1 }));
  const orgId = await store([reportXml({ records: addresses })], recent);
  expect(await judge(orgId, recent)).toContain('report_record');
  const { rows } = await database.pool.query('select address from ip_interest where org_id = $1', [orgId]);
  expect(rows).toHaveLength(3);
});

it.each([
  ['keeps', 1, false],
  ['does not keep', 200, true],
])('%s what %i keys of one address show, within its bound of bytes', async (_, keys, isReadBack) => {
  const recent = new RecentReports({ most: 64 * 1024 });
  const records = Array.from({ length: keys }, (_unused, i) => ({
    ip: '45.0.0.1',
    count: 1,
    dkim: 'pass' as const,
    selector: `s${i}`,
  }));
  const orgId = await store([reportXml({ records })], recent);
  expect((await judge(orgId, recent)).has('report_record')).toBe(isReadBack);
});

it.each(['version = version + 1', `policy = policy || '{"adkim": "s"}'`])(
  'reads records back when the stored report has changed since: %s',
  async (change) => {
    const recent = new RecentReports();
    const orgId = await store([reportXml()], recent);
    await database.pool.query(`update report set ${change} where org_id = $1`, [orgId]);
    expect(await judge(orgId, recent)).toContain('report_record');
  },
);
