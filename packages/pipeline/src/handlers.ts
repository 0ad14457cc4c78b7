import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Dimensions, Retention } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import type { Ask } from '@dmarc-ledger/dns-records';
import type { Handlers, JobName } from '@dmarc-ledger/queues';
import { sendNotification, type NotificationNeeds } from './notifications/send-notification.ts';
import { sendDigest } from './notifications/send-digest.ts';
import { checkDomain } from './domains/check-domain.ts';
import { computeHealth } from './domains/compute-health.ts';
import { raiseEvents } from './events/raise-events.ts';
import { settleReport } from './intake/settle-report.ts';
import { alignReports } from './records/align-reports.ts';
import { classifyReports } from './records/classify-reports.ts';
import { Pace } from './pace.ts';
import type { RecentReports } from './records/recent-reports.ts';
import { judgeSignatures } from './records/judge-signatures.ts';
import { rereadReports } from './replay/reread-reports.ts';
import { purgeOrganization } from './purge/purge-organization.ts';
import type { Purged } from './purge/purge-ledger.ts';
import { sweepBlobs } from './purge/sweep-blobs.ts';
import { repairRollups } from './rollups/repair-rollups.ts';
import { computeSnapshots } from './scores/compute-snapshots.ts';
import { enrichAddresses } from './sources/enrich-addresses.ts';
import { judgeSources } from './sources/judge-sources.ts';
import type { Outside } from './sources/outside.ts';

export interface WorkNeeds {
  database: Database;
  dimensions: Dimensions;
  blobs: BlobStore;
  organizationalDomain: OrganizationalDomain;
  /** External lookups. Without them there is no handler for lookups. */
  outside?: Outside | undefined;
  /** False while this installation looks nothing up about addresses, in any process: none is queued. Default: true. */
  areAddressesLookedUp?: boolean | undefined;
  /** DNS queries about domains. Without them there is no handler for checks. */
  askDns?: ((signal: AbortSignal) => Ask) | undefined;
  /** Sends notifications of events. Without it there is no handler for notifications. */
  notifying?: Omit<NotificationNeeds, 'database'> | undefined;
  /** How long data are retained. Without it there is no handler for purges. */
  retention?: Retention | undefined;
  /** Receives the number of rows that each purge has deleted. */
  onPurged?: ((kind: keyof Purged | 'blobs' | 'organizations', count: number) => void) | undefined;
  /** Called when the raw bytes belonged to another database until now. */
  onTakenOver?: (() => void) | undefined;
  /** Spaces what reads much mail again. Default: that of a worker. */
  pace?: Pace | undefined;
  /** What the intake of this process has just stored. */
  recent?: RecentReports | undefined;
}

/** Jobs that need more than the database and the blob store. */
type JobWithMeans =
  | 'deliverEvent'
  | 'sendDigest'
  | 'purgeOrganization'
  | 'sweepBlobs'
  | 'checkDomain'
  | 'enrichAddresses';

export type WorkHandlers = Pick<Handlers, Exclude<JobName, JobWithMeans>> & Partial<Pick<Handlers, JobWithMeans>>;

/** The handler of each job. A job whose needs are absent has no handler, so its queue cannot be served. */
export function workHandlers(needs: WorkNeeds): WorkHandlers {
  return {
    ...ledgerHandlers(needs),
    ...notificationHandlers(needs),
    ...purgeHandlers(needs),
    ...lookupHandlers(needs),
  };
}

function ledgerHandlers(needs: WorkNeeds): Pick<Handlers, Exclude<JobName, JobWithMeans>> {
  const { pace = new Pace() } = needs;
  return {
    async alignReports(payload, ending) {
      await alignReports({ ...needs, ending }, payload);
      // also those that an interrupted run of this job has aligned
      await classifyReports({ ...needs, ending }, payload);
    },
    classifyReports: (payload, ending) => classifyReports({ ...needs, ending }, payload),
    judgeSignatures: (payload, ending) => judgeSignatures({ ...needs, ending, pace }, payload),
    rereadReports: (payload, ending) => rereadReports({ ...needs, ending }, payload),
    settleReport: (payload) => settleReport(needs, payload),
    repairRollups: (payload) => repairRollups(needs, payload),
    judgeSources: (payload) => judgeSources({ ...needs, pace }, payload),
    computeHealth: (payload) => computeHealth(needs, payload),
    raiseEvents: (payload) => raiseEvents(needs, payload),
    async computeSnapshots(payload) {
      await computeSnapshots(needs, payload);
    },
  };
}

function notificationHandlers({
  notifying,
  ...needs
}: WorkNeeds): Partial<Pick<Handlers, 'deliverEvent' | 'sendDigest'>> {
  if (!notifying) return {};
  return {
    deliverEvent: ({ orgId, deliveryId }) =>
      sendNotification({ ...needs, ...notifying }, { orgId, notificationId: deliveryId }),
    sendDigest: (payload) => sendDigest({ ...needs, ...notifying }, payload),
  };
}

function purgeHandlers({
  retention,
  ...needs
}: WorkNeeds): Partial<Pick<Handlers, 'purgeOrganization' | 'sweepBlobs'>> {
  if (!retention) return {};
  return {
    purgeOrganization: (payload, ending) => purgeOrganization({ ...needs, retention, ending }, payload),
    async sweepBlobs() {
      const { blobs } = await sweepBlobs(needs);
      needs.onPurged?.('blobs', blobs);
    },
  };
}

function lookupHandlers({
  askDns,
  outside,
  ...needs
}: WorkNeeds): Partial<Pick<Handlers, 'checkDomain' | 'enrichAddresses'>> {
  return {
    ...(askDns && { checkDomain: (payload, ending) => checkDomain({ ...needs, ask: askDns, ending }, payload) }),
    ...(outside && { enrichAddresses: (payload, ending) => enrichAddresses({ ...needs, outside, ending }, payload) }),
  };
}
