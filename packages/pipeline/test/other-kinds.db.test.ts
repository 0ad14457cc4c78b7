import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createOrganization, findMessage, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import type { MessagePart } from '@dmarc-ledger/schema';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { receiveMessages, takeIn } from '../src/index.ts';
import { failureMail, placementJson, tlsJson } from './other-reports.ts';

let database: ClonedDatabase;
let folder: string;
let blobs: BlobStore;
let orgId: string;
let rounds = 0;
const faults: unknown[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});

beforeEach(async () => {
  ({ id: orgId } = await createOrganization(database.db, { name: `Org ${(rounds += 1)}` }));
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it('takes a report on TLS in, with every failure', async () => {
  const [delivery] = await handIn(gzipSync(tlsJson({})));
  expect(delivery).toMatchObject({
    state: 'stored',
    parts: [{ kind: 'tlsrpt', outcome: 'stored', reports: [{ records: 0, messages: 0 }] }],
  });
  expect(await rowsOf('tlsrpt_report')).toMatchObject([
    {
      reporter_name: 'Blue Harbor Mail',
      report_id: 'tls-1',
      day: '2026-03-01',
      domains: ['shop.example'],
      successes: 90,
      failures: 10,
      warnings: [],
      policies: [
        {
          type: 'sts',
          lines: ['version: STSv1', 'mode: enforce'],
          domain: 'shop.example',
          mxHosts: ['*.mx.shop.example'],
          successes: 90,
          failures: 10,
        },
      ],
    },
  ]);
  expect(await rowsOf('tlsrpt_failure')).toMatchObject([
    {
      position: 0,
      policy: 0,
      domain: 'shop.example',
      result_type: 'certificate-expired',
      sending_ip: '192.0.2.1',
      sessions: 7,
    },
    {
      position: 1,
      policy: 0,
      domain: 'shop.example',
      result_type: 'starttls-not-supported',
      sending_ip: null,
      sessions: 3,
    },
  ]);
});

it('takes placement reports in, with categories in the order they were sent in', async () => {
  const [delivery] = await handIn(placementJson({}));
  expect(delivery).toMatchObject({ state: 'stored', parts: [{ kind: 'aprf', outcome: 'stored' }] });
  expect(await rowsOf('aprf_report')).toMatchObject([
    {
      source: 'Blue Harbor Mail',
      dkim_domain: '*.shop.example',
      dkim_selector: '*',
      day: '2026-03-01',
      version: '7',
      sdi_used: 'N/F',
      extra_info: '',
      warnings: [],
    },
  ]);
  expect(await rowsOf('aprf_row')).toMatchObject([
    {
      position: 0,
      segment: ['retail'],
      classification: [
        { category: 'unwanted', value: 400 },
        { category: '10', value: 7 },
        { category: 'inbox', value: 52_000 },
      ],
      engagement: null,
    },
  ]);
});

it('takes the facts of a failure report in, and nothing that names a person', async () => {
  const [delivery] = await handIn(failureMail({}));
  expect(delivery).toMatchObject({ state: 'stored', parts: [{ kind: 'ruf', outcome: 'stored' }] });
  const rows = await rowsOf('failure_report');
  expect(rows).toMatchObject([
    {
      reported_domain: 'shop.example',
      source_ip: '192.0.2.9',
      arrived_at: new Date('2026-03-01T12:00:00Z'),
      auth_failure: 'dmarc',
      identity_alignment: ['dkim', 'spf'],
      delivery_result: 'reject',
      mail_from_domain: 'mailer.example',
      rcpt_to_domains: ['reader.example'],
    },
  ]);
  expect(JSON.stringify([rows, delivery])).not.toMatch(/anna|secret/i);
});

it('knows a report that is sent again, in any wrapping', async () => {
  const contents = [tlsJson({}), placementJson({}), failureMail({})];
  await handIn(...contents);
  const before = await everything();
  const again = [gzipSync(tlsJson({})), gzipSync(placementJson({})), failureMail({ subject: 'Again' })];
  expect((await handIn(...again)).map(({ state }) => state)).toEqual(again.map(() => 'duplicate'));
  expect((await handIn(...contents)).map(({ state }) => state)).toEqual(['stored', 'stored', 'stored']);
  expect(await everything()).toEqual(before);
});

it('holds the copy received last, the same in whatever order they come', async () => {
  const copies = [1, 2, 3].map((day) => placementMail(day));
  const held = new Set<string>();
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    ({ id: orgId } = await createOrganization(database.db, { name: `Order ${order.join('')}` }));
    for (const index of order) await handIn(copies[index]!);
    const [row, ...others] = await rowsOf('aprf_row');
    expect(others).toEqual([]);
    held.add(JSON.stringify(row?.['classification']));
  }
  expect([...held].map((text) => JSON.parse(text) as unknown)).toEqual([[{ category: 'inbox', value: 3 }]]);
});

it('ends with one row each when several intakes take the same reports in at once', async () => {
  const contents = Array.from({ length: 12 }, (_, i) => tlsJson({ 'contact-info': `desk-${i}@mail.example` }));
  await receive(...contents);
  await Promise.all([1, 2, 3].map(() => takeAll()));
  expect(await rowsOf('tlsrpt_report')).toHaveLength(1);
  expect(await rowsOf('tlsrpt_failure')).toHaveLength(2);
});

it('takes several kinds in together, and counts aggregate reports alone as such', async () => {
  const deliveries = await handIn(reportXml({ id: 'mixed' }), tlsJson({}), placementJson({}), failureMail({}));
  expect(deliveries.flatMap(({ parts }) => parts.map(({ kind }) => kind))).toEqual(['rua', 'tlsrpt', 'aprf', 'ruf']);
  const total = await database.db
    .selectFrom('org_total')
    .select('reports')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
  expect(total.reports).toBe(1);
});

it.each([
  ['not_a_report', Buffer.from('{"name":"something else"}')],
  ['json_truncated', tlsJson({}).subarray(0, 200)],
  ['payload_too_large', gzipSync(JSON.stringify({ policies: [], padding: noise(9_000_000) }))],
  ['feedback_type_unsupported', failureMail({ type: 'abuse' })],
])('refuses with the code %s what is no report', async (code, content) => {
  const [delivery] = await handIn(content);
  expect(delivery).toMatchObject({ state: 'refused', parts: [{ kind: null, outcome: 'refused', code }] });
  expect(faults).toEqual([]);
});

/** A placement report by mail of that day of March, with its number in it. */
function placementMail(day: number): Buffer {
  const head = `Received: from a by b; ${day} Mar 2026 12:00:00 +0000\r\nContent-Type: application/json\r\nMIME-Version: 1.0\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), placementJson({}, { classification: { inbox: day } })]);
}

/** Text that compresses less than the limit against bombs. */
function noise(length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i += 1) text += (i * 2_654_435_761).toString(36);
  return text;
}

async function receive(...contents: Buffer[]): Promise<string[]> {
  const arrivals = contents.map((content) => ({ content, source: 'file' as const, name: null }));
  return (await receiveMessages({ database, blobs }, orgId, arrivals)).map(({ id }) => id);
}

async function handIn(...contents: Buffer[]): Promise<{ state: string; parts: MessagePart[] }[]> {
  const ids = await receive(...contents);
  await takeAll();
  return await Promise.all(ids.map(async (id) => (await findMessage(database.db, orgId, id))!));
}

async function takeAll(): Promise<void> {
  const claimant = openClaimant(database);
  const onFault = (_: string, error: unknown) => void faults.push(error);
  while ((await takeIn({ database, blobs, claimant, dimensions: openDimensions(database), onFault }, null)) !== null);
  claimant.release();
}

type OtherTable = 'tlsrpt_report' | 'tlsrpt_failure' | 'aprf_report' | 'aprf_row' | 'failure_report';

async function rowsOf(table: OtherTable): Promise<{ [column: string]: unknown }[]> {
  const rows = await database.pool.query(`select * from ${table} where org_id = $1 order by 1, 2, 3`, [orgId]);
  return rows.rows;
}

async function everything(): Promise<unknown[]> {
  const tables: OtherTable[] = ['tlsrpt_report', 'tlsrpt_failure', 'aprf_report', 'aprf_row', 'failure_report'];
  return await Promise.all(tables.map(rowsOf));
}
