import type { Database } from '@dmarc-ledger/db';
import {
  runCheckPlan,
  runHealthPlan,
  runLookupPlan,
  runSnapshotPlan,
  runSweep,
  watchMailboxes,
} from '@dmarc-ledger/pipeline';
import type { Logger } from '@dmarc-ledger/runtime';

export interface SchedulerNeeds {
  database: Database;
  log: Logger;
  /** Work without progress for this long is announced once more. */
  staleAfterSeconds?: number;
  everyMs?: number;
  onFound?: (count: number) => void;
  /** Plans the lookups of addresses. */
  enrichment?: boolean;
  /** Plans the checks of domains. */
  domains?: boolean;
}

/** Keeps the rhythm: finds work that was lost on the way and announces it again, and watches over mailboxes. Any number may run. */
export function startScheduler({
  database,
  log,
  staleAfterSeconds,
  everyMs,
  onFound,
  enrichment,
  domains,
}: SchedulerNeeds): {
  close(): Promise<void>;
} {
  const ending = new AbortController();
  const sweeping = runSweep(
    {
      database,
      staleAfterSeconds,
      everyMs,
      onFault: (message, error) => log.warn({ event: 'sweep.failed', error }, message),
      onFound: (count) => {
        log.info({ event: 'sweep.requeued', count }, 'unfinished work announced again');
        onFound?.(count);
      },
    },
    ending.signal,
  );
  const watching = watchMailboxes(
    { database, onFault: (message, error) => log.warn({ event: 'mailbox.watch_failed', error }, message) },
    ending.signal,
  );
  const onFault = (message: string, error: unknown) => log.warn({ event: 'plan.failed', error }, message);
  const planning = [
    runSnapshotPlan({ database, onFault }, ending.signal),
    enrichment && runLookupPlan({ database, onFault }, ending.signal),
    domains && runCheckPlan({ database, onFault }, ending.signal),
    domains && runHealthPlan({ database, onFault }, ending.signal),
  ];
  return {
    async close() {
      ending.abort();
      await Promise.all([sweeping, watching, ...planning]);
    },
  };
}
