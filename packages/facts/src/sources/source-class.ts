import { classifySource, type RecordClass } from '@dmarc-ledger/dmarc';

/** The sums that every rollup of a source has, whole or for one domain. */
export interface SourceSums {
  messages: number;
  compliant: number;
  spf_pass: number;
  dkim_pass: number;
  forwarded: number;
  suspicious: number;
  needs_review: number;
  first_seen: Date | null;
  last_seen: Date | null;
}

/** What a source is taken for: by all its messages, or by those of the domain that its sums are of. */
export function sourceClassOf(
  sums: Pick<SourceSums, 'messages' | 'compliant' | 'suspicious' | 'needs_review' | 'forwarded'>,
): RecordClass {
  return classifySource({
    total: sums.messages,
    passed: sums.compliant,
    suspicious: sums.suspicious,
    needsReview: sums.needs_review,
    forwarded: sums.forwarded,
  });
}
