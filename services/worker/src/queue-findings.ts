import { ok, type Finding } from '@dmarc-ledger/pipeline';
import type { QueueCounts } from '@dmarc-ledger/queues';
import { groupedDigits } from '@dmarc-ledger/vocabulary';

/** How deep each queue is, for the page of operators. */
export function findingsOf(counts: QueueCounts): Finding[] {
  return Object.entries(counts).map(([queue, states]) => {
    const named = Object.entries(states).map(([state, jobs]) => `${groupedDigits(jobs)} ${state}`);
    return ok(`queue ${queue}`, `Jobs: ${named.join(', ')}.`);
  });
}
