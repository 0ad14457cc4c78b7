import {
  alignRecord,
  type DkimResult,
  isCompliant,
  type PolicyPublished,
  type RecordAlignment,
  type ReportRecord,
  type SpfResult,
} from '@dmarc-ledger/dmarc';
import { copyLine } from './copy-text.ts';

/** The report that records belong to. */
export interface RecordPlace {
  orgId: string;
  reportId: string;
  domainId: string;
  day: string;
  /** As far as it is known when the records are written: the judgement corrects what later parts change. */
  policy: PolicyPublished;
}

export const RECORD_COLUMNS = `report_record (org_id, report_id, position, day, domain_id, source_ip, source_text, messages,
  disposition, dkim_pass, spf_pass, header_from, envelope_from, envelope_to, reasons, dkim_results, spf_results, dkim_aligned, spf_aligned,
  class)`;

/**
 * One record as a line for COPY, with what aligns: that follows from the record, the policy and the suffix list alone.
 * A compliant record is authenticated whatever its source; the others wait for judgement.
 */
export function recordLine(
  { orgId, reportId, day, domainId, policy }: RecordPlace,
  position: number,
  record: ReportRecord,
  { dkim, spf }: RecordAlignment = alignRecord(record, policy),
): string {
  const { sourceIp, sourceIpText, count, policyEvaluated, identifiers, authResults } = record;
  return copyLine([
    orgId,
    reportId,
    position,
    day,
    domainId,
    sourceIp,
    sourceIpText === sourceIp ? null : sourceIpText,
    count,
    policyEvaluated.disposition,
    policyEvaluated.dkim === 'pass',
    policyEvaluated.spf === 'pass',
    identifiers.headerFrom,
    identifiers.envelopeFrom,
    identifiers.envelopeTo,
    json(policyEvaluated.reasons),
    results(authResults.dkim),
    results(authResults.spf),
    flags(dkim),
    flags(spf),
    isCompliant(policyEvaluated) ? 'authenticated' : null,
  ]);
}

/** An array of booleans, as PostgreSQL reads it. */
function flags(values: readonly boolean[] | null): string | null {
  return values && `{${values.map((value) => (value ? 't' : 'f')).join()}}`;
}

/** Results, without the fields of the remarks that were not sent: these would be a tenth of the row. */
function results(values: readonly (DkimResult | SpfResult)[] | null): string | null {
  return json(values && values.map((value) => ({ ...value, humanResult: value.humanResult ?? undefined })));
}

function json(value: unknown[] | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
