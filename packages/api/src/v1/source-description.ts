import type { SourceKnowledge } from '@dmarc-ledger/facts';
import type { SourceDetail } from '@dmarc-ledger/queries';
import { classificationDescription, type ClassifiedSource } from '@dmarc-ledger/sources';

const FORWARDING_REASONS = new Set(['mailing_list', 'trusted_forwarder', 'forwarded']);
const ARC_PASS = /\barc\s*=\s*pass\b/i;

interface Failing {
  dkim_pass: boolean;
  spf_pass: boolean;
  reasons: { type: string; comment: string | null }[] | null;
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
    facts: known?.facts,
  });
}

/** Only receivers write the reason for an override. */
function isMarkedForwarded({ dkim_pass, spf_pass, reasons }: Failing): boolean {
  if (dkim_pass || spf_pass) return false;
  return reasons?.some(({ type, comment }) => FORWARDING_REASONS.has(type) || ARC_PASS.test(comment ?? '')) ?? false;
}
