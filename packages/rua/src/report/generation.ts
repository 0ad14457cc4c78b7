import type { ReportHeader } from '@dmarc-ledger/dmarc';
import type { RawFeedback } from '../xml/raw-report.ts';

const NAMESPACE_9990 = 'urn:ietf:params:xml:ns:dmarc-2.0';
const NAMESPACE_7489 = 'http://dmarc.org/dmarc-xml/0.1';

/** A namespace other than none and the two that the standards gave. */
export function isUnexpectedNamespace(namespace: string | undefined): boolean {
  return namespace !== undefined && namespace !== '' && namespace !== NAMESPACE_9990 && namespace !== NAMESPACE_7489;
}

/**
 * RFC 9990's generation shows by its namespace or by an element that came with it. Chooses warnings, never a value.
 * (rules, reading-reports/generations)
 */
export function isRfc9990(namespace: string | undefined, feedback: RawFeedback, header: ReportHeader | null): boolean {
  return (
    namespace === NAMESPACE_9990 ||
    (feedback.policy_published?.testing ?? feedback.policy_published?.discovery_method) != null ||
    feedback.report_metadata?.generator != null ||
    feedback.extension !== null ||
    header?.metadata.generator != null ||
    header?.policyPublished.testing != null ||
    header?.policyPublished.discoveryMethod != null
  );
}
