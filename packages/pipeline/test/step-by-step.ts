import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createOrganization, findDrift, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { auditJudgement, receiveMessages, repairRollups, takeIn } from '../src/index.ts';
import { settleReport } from '../src/intake/settle-report.ts';
import { alignReports } from '../src/records/align-reports.ts';
import { classifyReports } from '../src/records/classify-reports.ts';

export const organizationalDomain = publicSuffixDomains();

/** With what transactions begin. */
export const BEGIN = 'begin; set local plan_cache_mode = force_generic_plan';
export const BEGIN_UNLIMITED = `${BEGIN}; set local statement_timeout = 0`;

export const forwarded = { ip: '192.0.2.7', count: 3, reason: 'mailing_list' };
export const other = { ip: '192.0.2.7', count: 5 };
/** The second copy has all records of the first, and more, so that it becomes the counted one. */
export const COPIES = [reportXml({ records: [forwarded] }), reportXml({ records: [other, forwarded, other] })];

/** One organization without workers: a test does each step itself, on a database that may hold it up. */
export interface StepByStep extends AsyncDisposable {
  database: ClonedDatabase;
  blobs: BlobStore;
  orgId: string;
  /** Stores what a mailbox has brought, and these contents one after the other. */
  takeInCopies(...contents: Buffer[]): Promise<void>;
  reportId: () => Promise<string>;
  settle(on: Database): Promise<void>;
  align(on: Database): Promise<void>;
  classify(on: Database): Promise<void>;
  /** Rows that differ from their source, once all waiting work is done. */
  driftAtRest: () => Promise<number>;
}

export async function openStepByStep(): Promise<StepByStep> {
  const database = await cloneDatabase();
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-interleaving-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const reportId = async () => (await database.db.selectFrom('report').select('id').executeTakeFirstOrThrow()).id;
  const reports = async () => ({ orgId, reportIds: [await reportId()] });
  const align = async (on: Database) => alignReports({ database: on, organizationalDomain }, await reports());
  const classify = async (on: Database) => classifyReports({ database: on }, await reports());
  return {
    database,
    blobs,
    orgId,
    async takeInCopies(...contents) {
      const claimant = openClaimant(database);
      const onFault = (message: string, error: unknown) => {
        throw new Error(message, { cause: error });
      };
      const take = () => takeIn({ database, blobs, claimant, dimensions: openDimensions(database), onFault }, null);
      await take(); // what a mailbox has brought
      for (const content of contents) {
        await receiveMessages({ database, blobs }, orgId, [{ content, source: 'file', name: null }]);
        await take();
      }
      claimant.release();
    },
    reportId,
    settle: async (on) =>
      settleReport({ database: on, blobs, dimensions: openDimensions(on) }, { orgId, reportId: await reportId() }),
    align,
    classify,
    async driftAtRest() {
      await align(database);
      await classify(database);
      await repairRollups({ database }, { orgId });
      const drift = (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0);
      return drift + (await auditJudgement({ database, organizationalDomain }, orgId)).differing;
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
