import type { Database } from '@dmarc-ledger/schema';
import {
  runCheckPlan,
  runNotificationPlan,
  runDigestPlan,
  runEventPlan,
  runHealthPlan,
  runLookupPlan,
  runMonthPlan,
  runPurgePlan,
  runSnapshotPlan,
  findLedgerState,
  ok,
  watchInstallation,
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
  /** Of DMARC Ledger, for the page of operators. */
  version?: string;
}

type Warn = (event: string) => (message: string, error: unknown) => void;

/** Hands due work to the queue, and watches for conditions that no job announces, until the signal ends it. */
export async function runPlans(
  database: Database,
  { enrichment, domains, purges, version }: PlanChoice,
  warn: Warn,
  signal: AbortSignal,
): Promise<void> {
  const needs = { database, onFault: warn('plan.failed') };
  const findState = async () => [
    ...(version === undefined ? [] : [ok('DMARC Ledger', version)]),
    ...(await findLedgerState(database)),
  ];
  await Promise.all([
    watchMailboxes({ database, onFault: warn('mailbox.watch_failed') }, signal),
    watchOrganizations(needs, signal),
    watchInstallation({ ...needs, part: 'ledger', find: findState }, signal),
    runSnapshotPlan(needs, signal),
    runNotificationPlan(needs, signal),
    runDigestPlan(needs, signal),
    runEventPlan(needs, signal),
    runMonthPlan(needs, signal),
    enrichment && runLookupPlan(needs, signal),
    domains && runCheckPlan(needs, signal),
    domains && runHealthPlan(needs, signal),
    purges && runPurgePlan(needs, signal),
  ]);
}
