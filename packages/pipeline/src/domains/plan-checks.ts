import { setTimeout as sleep } from 'node:timers/promises';
import { planChecks, planHealth, type CheckPlan, type Database } from '@dmarc-ledger/db';

const PLAN: CheckPlan = { inHand: 500, atOnce: 100, lostAfterSeconds: 600 };
const EVERY_MS = 1_000;
const HEALTHS_AT_ONCE = 100;

export interface CheckPlanNeeds {
  database: Database;
  plan?: Partial<CheckPlan>;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

/** Hands checks of domains that are due to the queue, until the signal ends it. Any number may run. */
export async function runCheckPlan(needs: CheckPlanNeeds, signal: AbortSignal): Promise<void> {
  const plan = { ...PLAN, ...needs.plan };
  await planAgain(needs, signal, () => planChecks(needs.database, plan));
}

/** The same for healths that are to be computed. */
export async function runHealthPlan(needs: Omit<CheckPlanNeeds, 'plan'>, signal: AbortSignal): Promise<void> {
  await planAgain(needs, signal, () => planHealth(needs.database, HEALTHS_AT_ONCE));
}

async function planAgain(
  { everyMs = EVERY_MS, onFault }: Omit<CheckPlanNeeds, 'plan'>,
  signal: AbortSignal,
  plan: () => Promise<number>,
): Promise<void> {
  while (!signal.aborted) {
    let planned = 0;
    try {
      planned = await plan();
    } catch (error) {
      onFault('What domains need could not be planned.', error);
    }
    if (planned === 0) await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
