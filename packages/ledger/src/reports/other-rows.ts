import type { TlsPolicyFacts } from '@dmarc-ledger/schema';
import { dayOf } from '@dmarc-ledger/vocabulary';
import type { OtherCopy } from './other-copy.ts';

type Of<Kind extends OtherCopy['kind']> = Extract<OtherCopy, { kind: Kind }>;

/** A report on TLS as the row of table `tlsrpt_report`, in the JSON that `json_populate_recordset` reads. */
export function tlsRow(orgId: string, copy: Of<'tlsrpt'>) {
  const { reporterName, reportId, contact, begin, end, policies } = copy.report;
  return {
    org_id: orgId,
    id: copy.id,
    identity: bytea(copy.identity),
    reporter_name: reporterName,
    report_id: reportId,
    contact,
    date_begin: instant(begin),
    date_end: instant(end),
    day: dayOf(begin ?? end ?? Math.floor(receiptOf(copy).getTime() / 1000)),
    domains: [...new Set(policies.flatMap(({ domain }) => domain ?? []))],
    successes: sum(policies.map(({ successes }) => successes)),
    failures: sum(policies.map(({ failures }) => failures)),
    policies: policies.map(policyFacts),
    ...originRow(copy),
  };
}

function policyFacts({ type, lines, domain, mxHosts, successes, failures }: TlsPolicyFacts) {
  return { type, lines, domain, mxHosts, successes, failures };
}

export function tlsFailureRows(orgId: string, reportId: string, policies: readonly TlsPolicyFacts[]) {
  const failures = policies.flatMap(({ domain, details }, policy) =>
    details.map((failure) => ({ policy, domain, failure })),
  );
  return failures.map(({ policy, domain, failure }, position) => ({
    org_id: orgId,
    report_id: reportId,
    position,
    policy,
    domain,
    result_type: failure.resultType,
    sending_ip: failure.sendingIp,
    receiving_ip: failure.receivingIp,
    receiving_host: failure.receivingHost,
    receiving_helo: failure.receivingHelo,
    sessions: failure.sessions,
    reason_code: failure.reasonCode,
    information: failure.information,
  }));
}

export function aprfRow(orgId: string, copy: Of<'aprf'>) {
  const { source, dkimDomain, dkimSelector, day, version, sdiUsed, extraInfo, contact, begin, end } = copy.report;
  return {
    org_id: orgId,
    id: copy.id,
    identity: bytea(copy.identity),
    source,
    dkim_domain: dkimDomain,
    dkim_selector: dkimSelector,
    day,
    version,
    sdi_used: sdiUsed,
    extra_info: extraInfo,
    contact,
    date_begin: instant(begin),
    date_end: instant(end),
    ...originRow(copy),
  };
}

export function aprfBodyRows(orgId: string, reportId: string, { report }: Of<'aprf'>) {
  return report.rows.map(({ segment, classification, engagement }, position) => ({
    org_id: orgId,
    report_id: reportId,
    position,
    segment,
    classification,
    engagement,
  }));
}

export function failureRow(orgId: string, copy: Of<'ruf'>) {
  const { report } = copy;
  return {
    org_id: orgId,
    id: copy.id,
    reported_domain: report.reportedDomain,
    source_ip: report.sourceIp,
    arrived_at: instant(report.arrivedAt),
    incidents: report.incidents,
    auth_failure: report.authFailure,
    identity_alignment: report.identityAlignment,
    delivery_result: report.deliveryResult,
    dkim_domains: report.dkimDomains,
    dkim_selector: report.dkimSelector,
    dkim_identity_domain: report.dkimIdentityDomain,
    mail_from_domain: report.mailFromDomain,
    rcpt_to_domains: report.rcptToDomains,
    authentication_results: report.authenticationResults,
    version: report.version,
    user_agent: report.userAgent,
    reporting_mta: report.reportingMta,
    ...originRow(copy),
  };
}

function originRow({ warnings, origin }: OtherCopy) {
  const { payloadSha256, messageId, document, authenticated } = origin;
  const receivedAt = receiptOf({ origin }).toISOString();
  return {
    warnings,
    payload_sha256: bytea(payloadSha256),
    message_id: messageId,
    document,
    received_at: receivedAt,
    authenticated,
  };
}

/** When a copy was received: for mail the time of the mail, so that mail fetched late does not count as new. */
export function receiptOf({ origin }: Pick<OtherCopy, 'origin'>): Date {
  return origin.mailReceivedAt ?? origin.receivedAt;
}

/** Whether the mail of a copy failed as the reporter's: such a copy replaces none that did not. */
export function isFailed({ origin }: Pick<OtherCopy, 'origin'>): boolean {
  return origin.authenticated === false;
}

function sum(counts: readonly (number | null)[]): number {
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    counts.reduce<number>((total, count) => total + (count ?? 0), 0),
  );
}

function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

function instant(epochSeconds: number | null): string | null {
  return epochSeconds === null ? null : new Date(epochSeconds * 1000).toISOString();
}
