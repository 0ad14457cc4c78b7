import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Database, Dimensions } from '@dmarc-ledger/db';
import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import type { Handlers } from '@dmarc-ledger/queues';
import { settleReport } from './intake/settle-report.ts';
import { alignReports } from './records/align-reports.ts';
import { classifyReports, type ClassifyNeeds } from './records/classify-reports.ts';
import { repairRollups } from './rollups/repair-rollups.ts';

export interface WorkNeeds extends ClassifyNeeds {
  database: Database;
  dimensions: Dimensions;
  blobs: BlobStore;
  organizationalDomain: OrganizationalDomain;
}

/** What each job does. */
export function workHandlers(needs: WorkNeeds): Handlers {
  return {
    alignReports: (payload) => alignReports(needs, payload),
    classifyReports: (payload) => classifyReports(needs, payload),
    settleReport: (payload) => settleReport(needs, payload),
    repairRollups: (payload) => repairRollups(needs, payload),
  };
}
