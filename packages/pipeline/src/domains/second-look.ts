import type { StoredCheck } from '@dmarc-ledger/facts';
import type { NewCheck } from '@dmarc-ledger/ledger';

const LOST: ReadonlySet<string> = new Set(['not_published', 'published_not_ours', 'multiple_records']);
const JUDGED_TWICE: ReadonlySet<string> = new Set(['dmarc', 'spf']);

/**
 * Whether a finding is bad and new, so that it raises an event only once a second check agrees. (rules,
 * events/second-check)
 */
export function needsSecondLook(before: Pick<StoredCheck, 'status' | 'records'> | undefined, found: NewCheck): boolean {
  if (!before || !isDifferent(before, found)) return false;
  if (found.subject === 'mx') return found.status === 'ok';
  if (JUDGED_TWICE.has(found.subject)) return found.status === 'error';
  return LOST.has(found.status);
}

/** Records at one name have no order: servers rotate them. (rules, domain-checks/answers-of-name-servers) */
function isDifferent(before: Pick<StoredCheck, 'status' | 'records'>, { status, records }: NewCheck): boolean {
  const textOf = (all: readonly string[]) => all.toSorted().join('\n');
  return before.status !== status || textOf(before.records) !== textOf(records ?? []);
}
