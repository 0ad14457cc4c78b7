import { planSnapshots, type SnapshotPlan } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

const PLAN: SnapshotPlan = { atOnce: 100, lostAfterSeconds: 600 };

/** Hands organizations whose snapshots are due to the queue until the signal ends it. Any number may run. */
export async function runSnapshotPlan(needs: Planning, signal: AbortSignal): Promise<void> {
  await planAgain('Snapshots', needs, signal, () => planSnapshots(needs.database, PLAN));
}
