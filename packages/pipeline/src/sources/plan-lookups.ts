import { setTimeout as sleep } from 'node:timers/promises';
import { planLookups, type Database, type LookupPlan } from '@dmarc-ledger/db';

const PLAN: LookupPlan = { inHand: 2_000, inHandBesideIntake: 20, atOnce: 400, inJob: 20, lostAfterSeconds: 600 };
const EVERY_MS = 1_000;

export interface PlanNeeds {
  database: Database;
  plan?: Partial<LookupPlan>;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

/** Hands lookups that are due to the queue, never more than it can bear, until the signal ends it. Any number may run. */
export async function runLookupPlan(
  { database, plan, everyMs = EVERY_MS, onFault }: PlanNeeds,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let planned = 0;
    try {
      planned = await planLookups(database, { ...PLAN, ...plan });
    } catch (error) {
      onFault('Lookups could not be planned.', error);
    }
    if (planned === 0) await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
