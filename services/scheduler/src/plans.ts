import type { Database } from '@dmarc-ledger/schema';
import {
  runCheckPlan,
  runDeliveryPlan,
  runEventPlan,
  runHealthPlan,
  runLookupPlan,
  runPurgePlan,
  runSnapshotPlan,
  watchMailboxes,
  watchOrganizations,
} from '@dmarc-ledger/pipeline';

/** The plans besides those that always run. */
export interface PlanChoice {
  /** Lookups of addresses. */
  enrichment?: boolean;
  /** Checks of domains. */
  domains?: boolean;
  /** The deletion of data past their retention. */
  purges?: boolean;
}

type Warn = (event: string) => (message: string, error: unknown) => void;

/** Hands due work to the queue, and watches for conditions that no job announces, until the signal ends it. */
export async function runPlans(
  database: Database,
  { enrichment, domains, purges }: PlanChoice,
  warn: Warn,
  signal: AbortSignal,
): Promise<void> {
  const needs = { database, onFault: warn('plan.failed') };
  await Promise.all([
    watchMailboxes({ database, onFault: warn('mailbox.watch_failed') }, signal),
    watchOrganizations(needs, signal),
    runSnapshotPlan(needs, signal),
    runDeliveryPlan(needs, signal),
    runEventPlan(needs, signal),
    enrichment && runLookupPlan(needs, signal),
    domains && runCheckPlan(needs, signal),
    domains && runHealthPlan(needs, signal),
    purges && runPurgePlan(needs, signal),
  ]);
}
