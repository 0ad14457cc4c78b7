import type { Session } from '@dmarc-ledger/schema';
import { failuresOf, type ReportSums } from '@dmarc-ledger/dmarc';
import { findTotal } from './store-statements.ts';

/**
 * An organization's messages at most, and its failures: beyond it a sum is no number in JSON.
 * (rules, counts/total-limit)
 */
const MOST = Number.MAX_SAFE_INTEGER;

/** Why a report is not stored. */
export const TOTAL_LIMIT = {
  code: 'total_limit',
  message: `With it the messages of the organization would be more than ${MOST}.`,
} as const;

/**
 * Of sums that are to be added to an organization's totals one after the other, which still have room. What others add
 * meanwhile is not seen: then the database refuses the transaction, and the next try knows better.
 */
export async function findDiskSpace(
  session: Session,
  orgId: string,
  wanted: readonly ReportSums[],
): Promise<boolean[]> {
  const [total] = await session.run<{ messages: number; failures: number }>(findTotal, [orgId]);
  let { messages, failures } = total ?? { messages: 0, failures: 0 };
  return wanted.map((sums) => {
    const added = { messages: messages + sums.messages, failures: failures + failuresOf(sums) };
    const hasSpace = added.messages <= MOST && added.failures <= MOST;
    if (hasSpace) ({ messages, failures } = added);
    return hasSpace;
  });
}
