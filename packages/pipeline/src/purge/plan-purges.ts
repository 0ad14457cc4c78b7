import { planPurges, type PurgePlan } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

const PLAN: PurgePlan = { atOnce: 10, lostAfterSeconds: 900 };
const EVERY_MS = 10_000;

/** Hands organizations whose purge is due to the queue until the signal ends it. Any number may run. */
export async function runPurgePlan(needs: Planning, signal: AbortSignal): Promise<void> {
  await planAgain('Purges', { everyMs: EVERY_MS, ...needs }, signal, () => planPurges(needs.database, PLAN));
}
