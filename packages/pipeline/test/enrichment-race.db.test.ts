import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { findEnrichments } from '@dmarc-ledger/facts';
import { createOrganization, noteSources, openClaimant, openDimensions, saveFacts } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { cloneDatabase, reportXml, type ClonedDatabase, takeClasses } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiveMessages, takeIn } from '../src/index.ts';
import { alignReports } from '../src/records/align-reports.ts';
import { classifyReports } from '../src/records/classify-reports.ts';
import { judgeSources } from '../src/sources/judge-sources.ts';
import { untilBlocked } from './held-statement.ts';

const ip = '45.0.0.1';
let database: ClonedDatabase;
let orgId: string;
let folder: string;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-race-'));
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A report with failing mail of the address, stored and aligned; its records have no class yet. */
async function givenAligned(): Promise<string> {
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const claimant = openClaimant(database);
  const content = reportXml({ records: [{ ip, count: 5 }] });
  await receiveMessages({ database, blobs }, orgId, [{ content, source: 'file', name: null }]);
  const onFault = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  await takeIn({ database, blobs, claimant, dimensions: openDimensions(database), onFault }, null);
  claimant.release();
  const { id } = await database.db.selectFrom('report').select('id').executeTakeFirstOrThrow();
  await alignReports({ database, organizationalDomain: publicSuffixDomains() }, { orgId, reportIds: [id] });
  return id;
}

/** Records that the address is malicious, or that it is not. */
async function saveScore(abuse_score: number): Promise<void> {
  const [before] = await findEnrichments(database.db, [ip]);
  const row = { ...before!, abuse_score, enriched_at: before!.enriched_at ?? new Date() };
  await transact(database, (session) => saveFacts(session, [{ row, isChanged: true }]));
}

async function classOf(): Promise<string | null> {
  return (await database.db.selectFrom('report_record').select('class').executeTakeFirstOrThrow()).class;
}

/** The database whose transactions wait, from the n-th on, until the gate is opened; reads do not wait. */
function gated(from: number): { database: Database; reached: Promise<void>; open(): void } {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let count = 0;
  const connect = async () => {
    if ((count += 1) >= from) {
      reached.resolve();
      await gate.promise;
    }
    return await database.pool.connect();
  };
  const pool = { connect } as unknown as Database['pool']; // all that a transaction asks of it
  return { database: { ...database, pool }, reached: reached.promise, open: gate.resolve };
}

describe('a fact that changes', () => {
  it.each([
    ['that is not written yet', 'needs_review', () => takeClasses(database.db)],
    ['that was written with its record', 'suspicious', async () => {}],
  ])('between the reading of facts and the saving of a class %s is not lost', async (_, meanwhile, given) => {
    const reportId = await givenAligned();
    await given();
    const slow = gated(1);
    const classifying = classifyReports({ database: slow.database }, { orgId, reportIds: [reportId] });
    await slow.reached;
    await saveScore(90);
    await judgeSources({ database }, { orgId, addresses: [ip] });
    expect(await classOf()).toBe('suspicious');
    slow.open();
    await classifying;
    expect(await classOf()).toBe(meanwhile);
    await judgeSources({ database }, { orgId, addresses: [ip] });
    expect(await classOf()).toBe('suspicious');
  });

  it.each([1, 2])(
    'while its source is judged by older ones is not overwritten (transaction %i)',
    async (transaction) => {
      const reportId = await givenAligned();
      await classifyReports({ database }, { orgId, reportIds: [reportId] });
      await saveScore(90);
      const slow = gated(transaction);
      const judging = judgeSources({ database: slow.database }, { orgId, addresses: [ip] });
      await slow.reached;
      await saveScore(0);
      await judgeSources({ database }, { orgId, addresses: [ip] });
      slow.open();
      await judging;
      expect(await classOf()).toBe('needs_review');
      const source = await database.db.selectFrom('source_standing').selectAll().executeTakeFirstOrThrow();
      expect(source).toMatchObject({ abuse_status: 'clean', settled: true });
      expect(await database.db.selectFrom('unjudged_source').selectAll().execute()).toEqual([]);
    },
  );

  it('reaches an organization that hears of the address in the same moment', async () => {
    await givenAligned();
    const { id: other } = await createOrganization(database.db, { name: 'Other' });
    const [row] = await findEnrichments(database.db, [ip]);
    let noting: Promise<void> | undefined;
    await transact(database, async (session) => {
      await saveFacts(session, [{ row: { ...row!, abuse_score: 90, enriched_at: new Date() }, isChanged: true }]);
      noting ??= transact(database, (own) => noteSources(own, other, [{ address: ip, isFailing: true }]));
      await Promise.race([noting, untilBlocked(database)]);
    });
    await noting;
    const waiting = await database.db.selectFrom('unjudged_source').select('org_id').execute();
    expect(waiting.map(({ org_id }) => org_id).sort()).toEqual([orgId, other].sort());
  });

  it('and that two runs of its lookup find different facts about is judged by the stored ones', async () => {
    await givenAligned();
    const [row] = await findEnrichments(database.db, [ip]);
    const enriched_at = new Date();
    await transact(database, (session) => saveFacts(session, [{ row: { ...row!, enriched_at }, isChanged: true }]));
    const [known] = await findEnrichments(database.db, [ip]);
    const save = (abuse_score: number, isChanged: boolean) =>
      transact(database, (session) => saveFacts(session, [{ row: { ...known!, abuse_score }, isChanged }]));
    await save(90, true);
    await judgeSources({ database }, { orgId, addresses: [ip] });
    await save(0, false); // for that run nothing was new
    await judgeSources({ database }, { orgId, addresses: [ip] });
    const { abuse_status } = await database.db.selectFrom('source_standing').selectAll().executeTakeFirstOrThrow();
    expect(abuse_status).toBe('clean');
  });
});

describe('a source that begins to fail', () => {
  it('while it is looked up still has all lists asked at once', async () => {
    await givenAligned();
    await database.pool.query('update ip_enrichment set is_failing = false');
    const [row] = await findEnrichments(database.db, [ip]);
    await transact(database, (session) => noteSources(session, orgId, [{ address: ip, isFailing: true }]));
    const later = new Date(Date.now() + 86_400_000);
    const found = {
      ...row!,
      list_scope: 'ingest' as const,
      lists_due_at: later,
      due_at: later,
      enriched_at: new Date(),
    };
    await transact(database, (session) => saveFacts(session, [{ row: found, isChanged: true }]));
    const [after] = await findEnrichments(database.db, [ip]);
    expect(after!.lists_due_at.getTime()).toBeLessThan(later.getTime() - 3_600_000);
    expect(after!.due_at.getTime()).toBeLessThan(later.getTime() - 3_600_000);
  });
});

describe('a source that was silent for long', () => {
  it('and sends again while it is looked up is looked up once more', async () => {
    await givenAligned();
    await database.pool.query(`update ip_enrichment set mentioned_at = now() - interval '20 days'`);
    const [row] = await findEnrichments(database.db, [ip]);
    await transact(database, (session) => noteSources(session, orgId, [{ address: ip, isFailing: true }]));
    const later = new Date(Date.now() + 30 * 86_400_000);
    const found = { ...row!, ptr_due_at: later, lists_due_at: later, due_at: later, enriched_at: new Date() };
    await transact(database, (session) => saveFacts(session, [{ row: found, isChanged: true }]));
    const [after] = await findEnrichments(database.db, [ip]);
    const soon = Date.now() + 3_600_000;
    for (const due of [after!.ptr_due_at, after!.lists_due_at, after!.due_at]) expect(due.getTime()).toBeLessThan(soon);
  });
});
