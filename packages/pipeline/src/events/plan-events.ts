import { type EventPlan, planEvents } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

const PLAN: EventPlan = { atOnce: 100, lostAfterSeconds: 300 };

/** Hands domains whose event rules are due to the queue until the signal ends it. Any number may run. */
export async function runEventPlan(needs: Planning, signal: AbortSignal): Promise<void> {
  await planAgain('Events', needs, signal, () => planEvents(needs.database, PLAN));
}
