import type { AddressDecision } from '@dmarc-ledger/queries';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';

/** Own senders with failing mail, then mail that is undecided or fine, then what is no task. */
const ranks: { [decision in SenderDecision]: number } = { ours: 0, forwarder: 2, not_ours: 2 };
const OTHERS = 1;

/**
 * Orders the sources of one domain by what there is to do, and otherwise leaves their order. Without a decision
 * about any of them nothing moves. (rules, sender-inventory/decisions)
 */
export function tasksFirst<Source extends { source_ip: string; fail_count: number }>(
  sources: readonly Source[],
  decisions: readonly AddressDecision[],
): Source[] {
  const decided = new Map(decisions.map(({ ip, decision }) => [ip, decision]));
  const rankOf = ({ source_ip, fail_count }: Source) => {
    const decision = decided.get(source_ip);
    return decision === undefined || (decision === 'ours' && fail_count === 0) ? OTHERS : ranks[decision];
  };
  return sources.toSorted((a, b) => rankOf(a) - rankOf(b));
}
