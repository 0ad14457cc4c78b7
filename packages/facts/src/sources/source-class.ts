import { classifySource, type RecordClass } from '@dmarc-ledger/dmarc';

/** The sums in every rollup of sources, in total or for one domain. */
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

/** The columns that have these sums, of `source_total` and `source_domain`. */
export const sumColumns = [
  'messages',
  'compliant',
  'spf_pass',
  'dkim_pass',
  'forwarded',
  'suspicious',
  'needs_review',
  'first_seen',
  'last_seen',
] as const satisfies readonly (keyof SourceSums)[];

/** Classifies a source by all its messages, or by those of the domain that its sums belong to. */
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
