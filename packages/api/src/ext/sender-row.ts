import type { SenderRow } from '@dmarc-ledger/queries';
import { type Confidence, confidenceOfPart } from '@dmarc-ledger/scoring';
import { rate } from '@dmarc-ledger/vocabulary';
import { instantOrNull } from '../v1/report-row.ts';
import { toConfidence } from '../bodies/confidence-schema.ts';
import type { SenderBody } from '../bodies/senders-schema.ts';

/** A sender as JSON. @param whole the confidence in the figures of its domain */
export function toSender(row: SenderRow, whole: Confidence): SenderBody {
  return {
    id: row.sender,
    slug: row.slug,
    name: row.name,
    domain: row.domain,
    addresses: row.addresses,
    messages: row.messages,
    compliant_messages: row.compliant,
    compliance_rate: rate(row.compliant, row.messages),
    confidence: toConfidence(confidenceOfPart({ messages: row.messages, passed: row.compliant }, whole)),
    spf_pass: row.spf_pass,
    dkim_pass: row.dkim_pass,
    forwarded_messages: row.forwarded,
    suspicious_messages: row.suspicious,
    unexplained_messages: row.needs_review,
    first_seen: instantOrNull(row.first_seen),
    last_seen: instantOrNull(row.last_seen),
    decision: row.decision,
    decided_at: instantOrNull(row.decided_at),
    decided_by: row.decided_by,
    owner: row.owner || null,
    note: row.note || null,
    suggestion: row.suggestion?.decision ?? null,
    suggestion_reason: row.suggestion?.reason ?? null,
    new_evidence: row.newEvidence,
  };
}
