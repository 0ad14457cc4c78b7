import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
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

/** One organization whose work the test does, a job at a time. Reports go by the ids that their reporters gave. */
export interface Steps extends AsyncDisposable {
  database: ClonedDatabase;
  orgId: string;
  takeIn(...reports: DescribedReport[]): Promise<void>;
  settle(report: string): Promise<void>;
  align(report: string, on?: Database): Promise<void>;
  classify(report: string): Promise<void>;
  judge(address: string, on?: Database): Promise<void>;
  /** Judges all sources that wait. */
  judgeWaiting(): Promise<void>;
  repair: () => Promise<void>;
  /** Stores a lookup's finding of how often an address was reported for abuse. */
  rate(address: string, abuseScore: number): Promise<void>;
  /** Rows that differ from their source, and reports that would be judged differently by now. */
  drift(): Promise<number>;
}

export async function openSteps(): Promise<Steps> {
  const organizationalDomain = publicSuffixDomains();
  const database = await cloneDatabase();
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-steps-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const claimant = openClaimant(database);
  const intake = { database, blobs, claimant, dimensions: openDimensions(database), onFault: fail };
  const idOf = async (report: string) => {
    const found = database.db.selectFrom('report').select('id').where('report_id', '=', report);
    return (await found.executeTakeFirstOrThrow()).id;
  };
  const payloadOf = async (report: string) => ({ orgId, reportIds: [await idOf(report)] });
  return {
    database,
    orgId,
    async takeIn(...reports) {
      for (const report of reports) {
        await receiveMessages({ database, blobs }, orgId, [{ content: reportXml(report), source: 'file', name: null }]);
        await takeIn(intake, null);
      }
    },
    settle: async (report) =>
      settleReport({ database, blobs, dimensions: openDimensions(database) }, { orgId, reportId: await idOf(report) }),
    align: async (report, on = database) =>
      alignReports({ database: on, organizationalDomain }, await payloadOf(report)),
    classify: async (report) => classifyReports({ database }, await payloadOf(report)),
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
    async [Symbol.asyncDispose]() {
      claimant.release();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function fail(message: string, error: unknown): never {
  throw new Error(message, { cause: error });
}
