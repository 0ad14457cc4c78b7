import type { Session } from '@dmarc-ledger/schema';
import { failuresOf, type ReportSums } from '@dmarc-ledger/dmarc';
import { findTotal } from './store-statements.ts';

/**
 * The most messages and failures of an organization: a larger sum is not exact as a number in JSON. (rules,
 * counts/total-limit)
 */
const MOST = Number.MAX_SAFE_INTEGER;

/** Why a report is not stored. */
export const TOTAL_LIMIT = {
  code: 'total_limit',
  message: `With it the messages of the organization would be more than ${MOST}.`,
} as const;

/**
 * Returns which of these sums fit into the organization's totals, added one after the other. Concurrent additions are
 * not seen: then the database refuses the transaction, and the next attempt sees them.
 */
export async function fitTotals(session: Session, orgId: string, wanted: readonly ReportSums[]): Promise<boolean[]> {
  const [total] = await session.run<{ messages: number; failures: number }>(findTotal, [orgId]);
  let { messages, failures } = total ?? { messages: 0, failures: 0 };
  return wanted.map((sums) => {
    const added = { messages: messages + sums.messages, failures: failures + failuresOf(sums) };
    const hasSpace = added.messages <= MOST && added.failures <= MOST;
    if (hasSpace) ({ messages, failures } = added);
    return hasSpace;
  });
}
