import { reportResult } from '@dmarc-ledger/dmarc';
import { dayOf, rate } from '@dmarc-ledger/vocabulary';
import { UNAUTHENTICATED } from '../intake/unauthenticated-codes.ts';
import { MAIL_WARNING_AT } from './improve-statements.ts';
import type { ReportCopy } from './report-facts.ts';

/** A report as the row of table `report`, in the JSON that `json_populate_recordset` reads. */
export function reportRow(orgId: string, copy: ReportCopy) {
  const { metadata, policyPublished } = copy.header;
  const { sums } = copy;
  return {
    org_id: orgId,
    id: copy.id,
    identity: bytea(copy.identity),
    domain_id: copy.domainId,
    reporter_id: copy.reporterId,
    domain: policyPublished.domain,
    reporter_name: metadata.reporterName,
    report_id: metadata.reportId,
    date_begin: instant(metadata.begin),
    date_end: instant(metadata.end),
    begin_day: metadata.begin === null ? '-infinity' : dayOf(metadata.begin),
    end_day: metadata.end === null ? 'infinity' : dayOf(metadata.end),
    day: copy.day,
    received_at: copy.origin.receivedAt.toISOString(),
    records: sums.records,
    messages: sums.messages,
    compliant: sums.compliant,
    spf_pass: sums.spfPass,
    dkim_pass: sums.dkimPass,
    compliance: Math.round(rate(sums.compliant, sums.messages) * 100),
    result: reportResult(sums),
    spf_only: sums.spfOnly,
    dkim_only: sums.dkimOnly,
    both_failed: sums.bothFailed,
    policy_p: policyPublished.p,
    metadata,
    policy: policyPublished,
    payload_sha256: bytea(copy.origin.payloadSha256),
    version: 1,
    unauthenticated: copy.origin.authenticated === false,
    unproven: copy.origin.isUnproven,
  };
}

export function revisionRow(orgId: string, reportId: string, { origin }: ReportCopy, settled: boolean) {
  return {
    org_id: orgId,
    report_id: reportId,
    payload_sha256: bytea(origin.payloadSha256),
    message_id: origin.messageId,
    document: origin.document,
    authenticated: origin.authenticated,
    mail_received_at: origin.mailReceivedAt?.toISOString() ?? null,
    received_at: origin.receivedAt.toISOString(),
    settled,
    unproven: origin.isUnproven,
  };
}

/** The warnings of reading it, and whether its mail did not come from the reporter. */
export function warningRows(orgId: string, { id, warnings, origin }: ReportCopy) {
  const place = { org_id: orgId, report_id: id };
  const rows = warnings.map(({ code, detail }, position) => ({ ...place, position, code, detail }));
  if (origin.authenticated === false)
    rows.push({ ...place, position: MAIL_WARNING_AT, code: UNAUTHENTICATED, detail: null });
  return rows;
}

function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

function instant(epochSeconds: number | null): string | null {
  return epochSeconds === null ? null : new Date(epochSeconds * 1000).toISOString();
}
