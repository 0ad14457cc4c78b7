import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Dimensions, Retention } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import type { Ask } from '@dmarc-ledger/dns-records';
import type { Handlers } from '@dmarc-ledger/queues';
import { deliverEvent, type DeliverNeeds } from './deliveries/deliver-event.ts';
import { checkDomain } from './domains/check-domain.ts';
import { computeHealth } from './domains/compute-health.ts';
import { raiseEvents } from './events/raise-events.ts';
import { settleReport } from './intake/settle-report.ts';
import { alignReports } from './records/align-reports.ts';
import { classifyReports } from './records/classify-reports.ts';
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
  /** What is asked beyond our own tables; without it lookups are left to others. */
  outside?: Outside | undefined;
  /** Who asks what domains publish; without it checks are left to others. */
  askDns?: ((signal: AbortSignal) => Ask) | undefined;
  /** Who tells others of events; without it that is left to others. */
  delivering?: Omit<DeliverNeeds, 'database'> | undefined;
  /** For how long data are kept; without it purges are left to others. */
  retention?: Retention | undefined;
  /** Told what purges have deleted. */
  onPurged?: ((kind: keyof Purged | 'blobs' | 'organizations', count: number) => void) | undefined;
}

/** What each job does. */
export function workHandlers(needs: WorkNeeds): Handlers {
  return {
    alignReports: (payload) => alignReports(needs, payload),
    classifyReports: (payload) => classifyReports(needs, payload),
    rereadReports: (payload) => rereadReports(needs, payload),
    settleReport: (payload) => settleReport(needs, payload),
    repairRollups: (payload) => repairRollups(needs, payload),
    judgeSources: (payload) => judgeSources(needs, payload),
    computeHealth: (payload) => computeHealth(needs, payload),
    raiseEvents: (payload) => raiseEvents(needs, payload),
    async computeSnapshots(payload) {
      await computeSnapshots(needs, payload);
    },
    async deliverEvent(payload) {
      if (needs.delivering) await deliverEvent({ ...needs, ...needs.delivering }, payload);
    },
    async purgeOrganization(payload, ending) {
      if (needs.retention) await purgeOrganization({ ...needs, retention: needs.retention, ending }, payload);
    },
    async sweepBlobs() {
      if (!needs.retention) return;
      const { blobs } = await sweepBlobs(needs);
      needs.onPurged?.('blobs', blobs);
    },
    async checkDomain(payload, ending) {
      if (needs.askDns) await checkDomain({ ...needs, ask: needs.askDns, ending }, payload);
    },
    async enrichAddresses(payload, ending) {
      if (needs.outside) await enrichAddresses({ ...needs, outside: needs.outside, ending }, payload);
    },
  };
}
