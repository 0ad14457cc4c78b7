import { fieldsOf } from '@dmarc-ledger/vocabulary';
import type { StoredCheck } from './checks.ts';

/** What a check found, as the check after it stores it. */
type Answer = Pick<StoredCheck, 'status' | 'details' | 'has_record' | 'records' | 'notes' | 'inherited_from' | 'facts'>;

/** An answer counts for so long. (rules, domain-checks/checks-without-an-answer) */
const GOOD_MS = 7 * 86_400_000;

/** Returns what a check without an answer stores of the ones before it: the last answer, and when it was given. */
export function keptAnswer(before: StoredCheck | undefined): unknown {
  if (!before || before.status === 'unknown') return before?.kept ?? null;
  const { status, details, has_record, records, notes, inherited_from, facts, checked_at } = before;
  const answer: Answer = { status, details, has_record, records, notes, inherited_from, facts };
  return { answer, answeredAt: checked_at.getTime() };
}

/**
 * Returns a check as of its last answer: no answer is no negative, and no positive either. The check itself where it
 * has an answer, or where none was given for a week. (rules, domain-checks/checks-without-an-answer)
 */
export function lastAnswer<Check extends Pick<StoredCheck, 'status' | 'kept'>>(check: Check, now: Date): Check {
  if (check.status !== 'unknown') return check;
  const { answer, answeredAt } = fieldsOf(check.kept);
  if (typeof answeredAt !== 'number' || now.getTime() - answeredAt >= GOOD_MS) return check;
  return { ...check, ...(answer as Answer), checked_at: new Date(answeredAt) }; // written by keptAnswer alone
}
