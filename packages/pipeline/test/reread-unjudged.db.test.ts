import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import {
  createOrganization,
  findDrift,
  judgeAgain,
  openClaimant,
  openDimensions,
  requeueDeliveries,
} from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alignReports, classifyReports, receiveMessages, takeIn } from '../src/index.ts';
import { rereadReports } from '../src/replay/reread-reports.ts';

// Without workers: each test says in which order the steps of one report run.

const organizationalDomain = publicSuffixDomains();
let database: ClonedDatabase;
let folder: string;
let blobs: BlobStore;
let orgId: string;

beforeEach(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  const compliant = reportXml({ records: [{ ip: '192.0.2.1', count: 7, dkim: 'pass', spf: 'pass' }] });
  await receiveMessages({ database, blobs }, orgId, [{ content: compliant, source: 'file', name: null }]);
  await read();
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function read(): Promise<void> {
  const claimant = openClaimant(database);
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const needs = { database, blobs, claimant, dimensions: openDimensions(database), onFault };
  while ((await takeIn(needs, null)) !== null);
  claimant.release();
}

async function payload() {
  const { rows } = await database.pool.query<{ id: string }>('select id from report');
  return { orgId, reportIds: rows.map(({ id }) => id) };
}

async function replay(): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select id from raw_message');
  const messageIds = rows.map(({ id }) => id);
  const { reportIds } = await payload();
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds, reportIds }));
  await read();
}

const align = async () => await alignReports({ database, organizationalDomain }, await payload());
const classify = async () => await classifyReports({ database }, await payload());
const reread = async () =>
  await rereadReports({ database, blobs, dimensions: openDimensions(database), organizationalDomain }, await payload());

/** What is recorded of the report beside its records, what waits, and the rows that drift. */
async function recorded() {
  const count = async (table: string) => Number((await database.pool.query(`select from ${table}`)).rowCount);
  return {
    passes: await count('dkim_pass'),
    addresses: await count('ip_interest'),
    waiting: await count('unjudged_report'),
    drift: (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0),
  };
}

const JUDGED = { passes: 2, addresses: 1, waiting: 0, drift: 0 };

describe('a report that is read again', () => {
  it('before it was judged is judged all the same', async () => {
    await replay();
    await reread();
    await align();
    await classify();
    expect(await recorded()).toEqual(JUDGED);
  });

  it('twice before it was judged is judged all the same', async () => {
    await replay();
    await replay();
    await reread();
    await align();
    await classify();
    expect(await recorded()).toEqual(JUDGED);
  });

  it('after it was judged is not judged again when nothing differs', async () => {
    await align();
    await classify();
    await database.pool.query('delete from ip_interest');
    await replay();
    await reread();
    await align();
    expect(await recorded()).toEqual({ ...JUDGED, addresses: 0 });
  });

  it('keeps the warnings of its judgement when a second run has read it as well', async () => {
    await replay();
    await reread();
    await align();
    await classify();
    const { reportIds } = await payload();
    await database.pool.query(
      `insert into parse_warning (org_id, report_id, position, code) values ($1, $2, 1000, 'alignment_contradiction')`,
      [orgId, reportIds[0]],
    );
    await transact(database, (session) => judgeAgain(session, orgId, reportIds[0]!));
    const { rowCount } = await database.pool.query('select from parse_warning where position = 1000');
    expect(rowCount).toBe(1);
  });
});
