import { type OverrideReason, receiverSaysForwarded } from '@dmarc-ledger/dmarc';
import type { SourceKnowledge } from '@dmarc-ledger/facts';
import type { SourceDetail } from '@dmarc-ledger/queries';
import { classificationDescription, type ClassifiedSource, NEVER_SCORED } from '@dmarc-ledger/sources';

interface Failing {
  dkim_pass: boolean;
  spf_pass: boolean;
  reasons: OverrideReason[] | null;
}

/**
 * Explains the class of a source from what is known of it and what receivers say. Undefined if it needs no explanation.
 */
export function describeClass(
  classification: ClassifiedSource['classification'],
  source: SourceDetail,
  records: readonly Failing[],
  known: SourceKnowledge | undefined,
): string | undefined {
  return classificationDescription({
    classification,
    totalMessages: source.messages,
    receiversSayForwarded: records.some(isMarkedForwarded),
    facts: known?.facts ?? (known?.service && { abuseScore: NEVER_SCORED, sender: known.service }),
  });
}

function isMarkedForwarded({ dkim_pass, spf_pass, reasons }: Failing): boolean {
  return !dkim_pass && !spf_pass && receiverSaysForwarded(reasons);
}
