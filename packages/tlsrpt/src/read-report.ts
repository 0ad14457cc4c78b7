import {
  isJsonObject,
  textField,
  WarningList,
  type Json,
  type JsonObject,
  type ReportArrival,
} from '@dmarc-ledger/vocabulary';
import { TlsReportError } from './errors.ts';
import { MAX_FAILURES, MAX_POLICIES, MAX_TEXT } from './limits.ts';
import { readPolicy } from './read-policy.ts';
import { readWindow } from './read-window.ts';
import type { TlsPolicy, TlsReport } from './report.ts';

/** Whether JSON is meant as a report on TLS. */
export function isTlsReport(json: Json): json is JsonObject {
  return isJsonObject(json) && (json.has('policies') || json.has('organization-name'));
}

/**
 * Reads a report on TLS (RFC 8460, 4.4; rules, other-reports/tls-reports): departures from the standard are kept, with
 * a warning.
 */
export function readTlsReport(json: Json, { receivedAt }: ReportArrival): TlsReport {
  if (!isTlsReport(json)) throw new TlsReportError('not_a_report', 'the JSON is not a report on TLS');
  const warnings = new WarningList();
  const reporterName = textField(json, 'organization-name', MAX_TEXT, warnings);
  if (reporterName === null) warnings.add('organization_missing');
  const reportId = textField(json, 'report-id', MAX_TEXT, warnings);
  if (reportId === null) warnings.add('report_id_missing');
  const contact = textField(json, 'contact-info', MAX_TEXT, warnings);
  const window = readWindow(json.get('date-range'), receivedAt, warnings);
  const policies = readPolicies(json.get('policies'), warnings);
  return { reporterName, contact, reportId, ...window, policies, warnings: warnings.toArray() };
}

function readPolicies(value: Json | undefined, warnings: WarningList): TlsPolicy[] {
  const items = Array.isArray(value) ? value : isJsonObject(value) ? [value] : [];
  if (value !== undefined && !Array.isArray(value)) warnings.add('list_expected', 'policies');
  if (items.length > MAX_POLICIES) warnings.add('list_truncated', 'policies');
  const policies = items.slice(0, MAX_POLICIES).flatMap((item) => readPolicy(item, warnings) ?? []);
  if (policies.length === 0) warnings.add('policies_missing');
  return withoutExcess(policies, warnings);
}

function withoutExcess(policies: TlsPolicy[], warnings: WarningList): TlsPolicy[] {
  let left = MAX_FAILURES;
  return policies.map((policy) => {
    const details = policy.details.slice(0, left);
    left -= details.length;
    if (details.length < policy.details.length) warnings.add('list_truncated', 'failure-details');
    return { ...policy, details };
  });
}
