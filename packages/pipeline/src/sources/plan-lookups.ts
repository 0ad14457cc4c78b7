import { type LookupPlan, planLookups } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

const PLAN: LookupPlan = { inHand: 2_000, inHandBesideIntake: 20, atOnce: 400, inJob: 20, lostAfterSeconds: 600 };

export interface PlanNeeds extends Planning {
  plan?: Partial<LookupPlan>;
}

/** Hands due lookups to the queue, never more than it can take, until the signal ends it. Any number may run. */
export async function runLookupPlan(needs: PlanNeeds, signal: AbortSignal): Promise<void> {
  const plan = { ...PLAN, ...needs.plan };
  await planAgain('Lookups', needs, signal, () => planLookups(needs.database, plan));
}
