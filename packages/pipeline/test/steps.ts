import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BlobStore, openBlobs } from '@dmarc-ledger/blobs';
import { findEnrichments } from '@dmarc-ledger/facts';
import { createOrganization, openClaimant, openDimensions, saveFacts } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { cloneDatabase, reportXml, type ClonedDatabase, type DescribedReport } from '@dmarc-ledger/testkit';
import { auditJudgement, receiveMessages, repairRollups, takeIn } from '../src/index.ts';
import { settleReport } from '../src/intake/settle-report.ts';
import { alignReports } from '../src/records/align-reports.ts';
import { classifyReports } from '../src/records/classify-reports.ts';
import { judgeSources } from '../src/sources/judge-sources.ts';
import { driftOf } from './ledger.ts';

export const organizationalDomain = publicSuffixDomains();

/**
 * One organization whose work the test does, a job at a time, on a database that may hold a step up. Reports go by the
 * ids that their reporters gave; without one, the first that is stored is meant.
 */
export interface Steps extends AsyncDisposable {
  database: ClonedDatabase;
  blobs: BlobStore;
  orgId: string;
  /** Stores what a mailbox has brought, and these one after the other. */
  takeIn(...contents: (Buffer | DescribedReport)[]): Promise<void>;
  reportId(report?: string): Promise<string>;
  settle(report?: string, on?: Database): Promise<void>;
  align(report?: string, on?: Database): Promise<void>;
  classify(report?: string, on?: Database): Promise<void>;
  judge(address: string, on?: Database): Promise<void>;
  /** Judges all sources that wait. */
  judgeWaiting(): Promise<void>;
  repair: () => Promise<void>;
  /** Stores a lookup's finding of how often an address was reported for abuse. */
  rate(address: string, abuseScore: number): Promise<void>;
  /** Rows that differ from their source, and reports that would be judged differently by now. */
  drift: () => Promise<number>;
  /** The same, once the first report is judged and the sums are repaired. */
  driftAtRest(): Promise<number>;
}

export async function openSteps(): Promise<Steps> {
  const database = await cloneDatabase();
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-steps-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const claimant = openClaimant(database);
  const take = async () => {
    await takeIn({ database, blobs, claimant, dimensions: openDimensions(database), onFault: fail }, null);
  };
  const reportId = async (report?: string) => {
    const found = database.db.selectFrom('report').select('id');
    return (await (report ? found.where('report_id', '=', report) : found).executeTakeFirstOrThrow()).id;
  };
  const payloadOf = async (report?: string) => ({ orgId, reportIds: [await reportId(report)] });
  const steps: Steps = {
    database,
    blobs,
    orgId,
    async takeIn(...contents) {
      await take();
      for (const given of contents) {
        const content = Buffer.isBuffer(given) ? given : reportXml(given);
        await receiveMessages({ database, blobs }, orgId, [{ content, source: 'file', name: null }]);
        await take();
      }
    },
    reportId,
    settle: async (report, on = database) =>
      settleReport(
        { database: on, blobs, dimensions: openDimensions(on) },
        { orgId, reportId: await reportId(report) },
      ),
    align: async (report, on = database) =>
      alignReports({ database: on, organizationalDomain }, await payloadOf(report)),
    classify: async (report, on = database) => classifyReports({ database: on }, await payloadOf(report)),
    judge: (address, on = database) => judgeSources({ database: on }, { orgId, addresses: [address] }),
    async judgeWaiting() {
      const waiting = await database.db.selectFrom('unjudged_source').select('source_ip').execute();
      await judgeSources({ database }, { orgId, addresses: waiting.map(({ source_ip }) => source_ip) });
    },
    repair: () => repairRollups({ database }, { orgId }),
    async rate(address, abuse_score) {
      const [before] = await findEnrichments(database.db, [address]);
      const row = { ...before!, abuse_score, enriched_at: before!.enriched_at ?? new Date() };
      await transact(database, (session) => saveFacts(session, [{ row, isChanged: true }]));
    },
    async drift() {
      const { differing } = await auditJudgement({ database, organizationalDomain }, orgId);
      return (await driftOf({ database, blobs, orgId })) + differing;
    },
    async driftAtRest() {
      await steps.align();
      await steps.classify();
      await steps.repair();
      return await steps.drift();
    },
    async [Symbol.asyncDispose]() {
      claimant.release();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return steps;
}

function fail(message: string, error: unknown): never {
  throw new Error(message, { cause: error });
}
