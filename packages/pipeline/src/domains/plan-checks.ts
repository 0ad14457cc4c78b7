import { type CheckPlan, type HealthPlan, planChecks, planHealth } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

/**
 * Those that may take long have few in hand, as a worker checks eight at a time: others wait for 30 of them at the
 * most, and a thousand domains of a new customer are still checked within minutes.
 */
const PLAN: CheckPlan = {
  inHand: 500,
  inHandOfOrganization: 50,
  discoveredInHand: 24,
  silentInHand: 6,
  atOnce: 100,
  lostAfterSeconds: 600,
};
const HEALTHS: HealthPlan = { inHand: 500, atOnce: 100 };

export interface CheckPlanNeeds extends Planning {
  plan?: Partial<CheckPlan>;
}

/** Hands due checks of domains to the queue until the signal ends it. Any number may run. */
export async function runCheckPlan(needs: CheckPlanNeeds, signal: AbortSignal): Promise<void> {
  const plan = { ...PLAN, ...needs.plan };
  await planAgain('Checks of domains', needs, signal, () => planChecks(needs.database, plan));
}

/** Hands due computations of health to the queue until the signal ends it. Any number may run. */
export async function runHealthPlan(needs: Planning, signal: AbortSignal): Promise<void> {
  await planAgain('Healths of domains', needs, signal, () => planHealth(needs.database, HEALTHS));
}
