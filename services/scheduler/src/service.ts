import type { Database } from '@dmarc-ledger/db';
import {
  runCheckPlan,
  runDeliveryPlan,
  runEventPlan,
  runHealthPlan,
  runLookupPlan,
  runPurgePlan,
  runSnapshotPlan,
  runSpotChecks,
  runSweep,
  watchMailboxes,
  watchOrganizations,
} from '@dmarc-ledger/pipeline';
import type { Logger, Metrics } from '@dmarc-ledger/runtime';
import { showRhythm } from './rhythm-figures.ts';

export interface SchedulerNeeds {
  database: Database;
  log: Logger;
  /** Work without progress for this long is announced once more. */
  staleAfterSeconds?: number;
  everyMs?: number;
  /** Plans the lookups of addresses. */
  enrichment?: boolean;
  /** Plans the checks of domains. */
  domains?: boolean;
  /** Plans the deletion of what is kept no longer. */
  purges?: boolean;
  /** Where figures are shown; nowhere when not told. */
  metrics?: Metrics | undefined;
}

/** Keeps the rhythm: finds work that was lost on the way and announces it again, and watches over mailboxes. Any number may run. */
export function startScheduler({
  database,
  log,
  staleAfterSeconds,
  everyMs,
  enrichment,
  domains,
  purges,
  metrics,
}: SchedulerNeeds): {
  close(): Promise<void>;
} {
  const figures = metrics && showRhythm(metrics, database);
  const ending = new AbortController();
  const warn = (event: string) => (message: string, error: unknown) => log.warn({ event, error }, message);
  const sweeping = runSweep(
    {
      database,
      staleAfterSeconds,
      everyMs,
      onFault: warn('sweep.failed'),
      onFound: (jobs) => {
        log.info({ event: 'sweep.requeued', jobs }, 'unfinished work announced again');
        figures?.found(jobs);
      },
    },
    ending.signal,
  );
  const watching = watchMailboxes({ database, onFault: warn('mailbox.watch_failed') }, ending.signal);
  const checking = runSpotChecks(
    {
      database,
      onFault: warn('spot_check.failed'),
      onMismatch(orgId, drift) {
        log.error({ event: 'rollup.mismatch', orgId, drift }, 'sums differ from what they are made of');
        figures?.mismatched(drift.reduce((sum, { rows }) => sum + rows, 0));
      },
    },
    ending.signal,
  );
  const onFault = warn('plan.failed');
  const planning = [
    runSnapshotPlan({ database, onFault }, ending.signal),
    runDeliveryPlan({ database, onFault }, ending.signal),
    runEventPlan({ database, onFault }, ending.signal),
    watchOrganizations({ database, onFault }, ending.signal),
    enrichment && runLookupPlan({ database, onFault }, ending.signal),
    domains && runCheckPlan({ database, onFault }, ending.signal),
    domains && runHealthPlan({ database, onFault }, ending.signal),
    purges && runPurgePlan({ database, onFault }, ending.signal),
  ];
  return {
    async close() {
      ending.abort();
      await Promise.all([sweeping, watching, checking, ...planning]);
    },
  };
}
