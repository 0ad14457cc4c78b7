import { setTimeout as sleep } from 'node:timers/promises';
import { planChecks, type CheckPlan, type Database } from '@dmarc-ledger/db';

const PLAN: CheckPlan = { inHand: 500, atOnce: 100, lostAfterSeconds: 600 };
const EVERY_MS = 1_000;

export interface CheckPlanNeeds {
  database: Database;
  plan?: Partial<CheckPlan>;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

/** Hands checks of domains that are due to the queue, until the signal ends it. Any number may run. */
export async function runCheckPlan(
  { database, plan, everyMs = EVERY_MS, onFault }: CheckPlanNeeds,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let planned = 0;
    try {
      planned = await planChecks(database, { ...PLAN, ...plan });
    } catch (error) {
      onFault('Checks of domains could not be planned.', error);
    }
    if (planned === 0) await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
