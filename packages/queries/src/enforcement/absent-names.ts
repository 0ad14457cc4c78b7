import { lastAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import { fieldsOf } from '@dmarc-ledger/vocabulary';

/**
 * The names below a domain of which a check of the last week has found that they do not exist. Any other name counts
 * as one that exists. (rules, enforcement/names-that-do-not-exist)
 */
export function absentNames(check: StoredCheck | undefined, now: Date): string[] {
  const { absent } = fieldsOf(lastAnswer(check, now)?.facts);
  return Array.isArray(absent) ? absent.filter((name) => typeof name === 'string') : [];
}
