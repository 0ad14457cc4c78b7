import type { StoredCheck } from '@dmarc-ledger/facts';
import { fieldsOf } from '@dmarc-ledger/vocabulary';

/**
 * The names below a domain of which the newest check has found that they do not exist. Any other name counts as one
 * that exists. (rules, enforcement/names-that-do-not-exist)
 */
export function absentNames(check: StoredCheck | undefined): string[] {
  const { absent } = fieldsOf(check?.facts);
  return Array.isArray(absent) ? absent.filter((name) => typeof name === 'string') : [];
}
