import { type CheckPlan, type HealthPlan, planChecks, planHealth } from '@dmarc-ledger/ledger';
import { planAgain, type Planning } from '../plan-again.ts';

/** Those that may take long leave one of the eight places of a worker to the others. */
const PLAN: CheckPlan = {
  inHand: 500,
  inHandOfOrganization: 50,
  discoveredInHand: 4,
  silentInHand: 3,
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
