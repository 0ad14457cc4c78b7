import { fieldsOf } from '@dmarc-ledger/vocabulary';
import type { StoredCheck } from './checks.ts';

/** What a check found, as the check after it stores it. */
type Answer = Pick<StoredCheck, 'status' | 'details' | 'has_record' | 'records' | 'notes' | 'inherited_from' | 'facts'>;

const GOOD_MS = 7 * 86_400_000;

/** True while what was read in the DNS at that time counts. (rules, domain-checks/checks-without-an-answer) */
export function countsStill(readAt: Date | number | string, now: Date): boolean {
  return now.getTime() - new Date(readAt).getTime() < GOOD_MS;
}

/** Returns what a check without an answer stores of the ones before it: the last answer, and when it was given. */
export function keptAnswer(before: StoredCheck | undefined): unknown {
  if (!before || before.status === 'unknown') return before?.kept ?? null;
  const { status, details, has_record, records, notes, inherited_from, facts, checked_at } = before;
  const answer: Answer = { status, details, has_record, records, notes, inherited_from, facts };
  return { answer, answeredAt: checked_at.getTime() };
}

/**
 * Returns a check as of its last answer: no answer is no negative, and no positive either. The check itself where it
 * has an answer, or where none was given for a week. Undefined for a check that is as old itself, as those of a domain
 * that is no longer monitored are. (rules, domain-checks/checks-without-an-answer)
 */
export function lastAnswer<Check extends Pick<StoredCheck, 'status' | 'kept' | 'checked_at'>>(
  check: Check | undefined,
  now: Date,
): Check | undefined {
  if (!check || !countsStill(check.checked_at, now)) return undefined;
  if (check.status !== 'unknown') return check;
  const { answer, answeredAt } = fieldsOf(check.kept);
  if (typeof answeredAt !== 'number' || !countsStill(answeredAt, now)) return check;
  return { ...check, ...(answer as Answer), checked_at: new Date(answeredAt) }; // written by keptAnswer alone
}
