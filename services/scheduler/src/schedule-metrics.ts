import { findDirtyBacklog, findNotificationBacklog } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { keptFor, type Metrics } from '@dmarc-ledger/runtime';

const KEPT_MS = 5_000;

/**
 * Shows which rollups wait for repair and which events await their notification, and counts what the sweep has found.
 */
export function showRhythm(metrics: Metrics, { db }: Database) {
  const dirty = keptFor(KEPT_MS, () => findDirtyBacklog(db));
  metrics.gaugeOf(
    'rollup_dirty',
    'Keys of rollups that wait for repair; counted up to 10,000.',
    async () => (await dirty()).count,
  );
  metrics.gaugeOf('rollup_oldest_seconds', 'Age of the oldest of them.', async () => (await dirty()).oldestSeconds);
  const notifications = keptFor(KEPT_MS, () => findNotificationBacklog(db));
  metrics.gaugeOf(
    'deliveries_waiting',
    'Notifications of events that are still to be sent; counted up to 10,000.',
    async () => (await notifications()).count,
  );
  metrics.gaugeOf(
    'deliveries_oldest_seconds',
    'Age of the oldest of them.',
    async () => (await notifications()).oldestSeconds,
  );
  const requeued = metrics.counter('sweep_requeued_total', 'Jobs that were announced again.', ['kind']);
  const mismatches = metrics.counter('rollup_audit_mismatch_total', 'Sums that differed from their records.');
  return {
    mismatched: (sums: number) => mismatches.inc(sums),
    found: (jobs: readonly { job: string; count: number }[]) => {
      for (const { job, count } of jobs) requeued.inc({ kind: job }, count);
    },
  };
}
