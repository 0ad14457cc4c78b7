import { planDigests } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

const EVERY_MS = 15_000;

/** Hands the digests that are due to the queue, until the signal ends it. Any number may run. */
export async function runDigestPlan(needs: Planning, signal: AbortSignal): Promise<void> {
  await planAgain('Digests', { everyMs: EVERY_MS, ...needs }, signal, () => planDigests(needs.database));
}
