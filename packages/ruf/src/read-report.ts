import { printableText, WarningList, type ReportArrival } from '@dmarc-ledger/vocabulary';
import { FailureReportError } from './errors.ts';
import { FieldReader } from './field-reader.ts';
import { readFields, type Fields } from './fields.ts';
import { redact } from './redact.ts';
import type { FailureReport } from './report.ts';
import { readArrival, readIncidents, readReportedDomain, readResults, readSourceIp } from './values.ts';
import { readAlignment, readAuthFailure, readDeliveryResult } from './verdicts.ts';

/**
 * Reads the fields of a failure report, redacted. A complaint of a person (`abuse`) and other feedback are not reports
 * of a failure and are refused. (RFC 9991, 4; rules, other-reports/failure-reports)
 */
export function readFailureReport(bytes: Uint8Array, { receivedAt }: ReportArrival): FailureReport {
  const warnings = new WarningList();
  const fields = readFields(bytes, warnings);
  checkType(fields, warnings);
  const reader = new FieldReader(fields, warnings);
  return {
    version: reader.text('version'),
    userAgent: reader.text('user-agent'),
    reportingMta: reader.text('reporting-mta'),
    sourceIp: readSourceIp(reader),
    reportedDomain: readReportedDomain(reader),
    arrivedAt: readArrival(reader, receivedAt),
    incidents: readIncidents(reader),
    authFailure: readAuthFailure(reader),
    identityAlignment: readAlignment(reader),
    deliveryResult: readDeliveryResult(reader),
    dkimDomains: reader.domains('dkim-domain'),
    dkimSelector: reader.text('dkim-selector'),
    dkimIdentityDomain: reader.addressDomains('dkim-identity')[0] ?? null,
    mailFromDomain: reader.addressDomains('original-mail-from')[0] ?? null,
    rcptToDomains: reader.addressDomains('original-rcpt-to'),
    authenticationResults: readResults(reader),
    warnings: warnings.toArray(),
  };
}

/** Some reporters omit the type; then a field that only such a report has must be present. */
function checkType(fields: Fields, warnings: WarningList): void {
  const type = fields.get('feedback-type')?.[0]?.split('(', 1)[0]?.trim().toLowerCase();
  if (type === 'auth-failure') return;
  if (type)
    throw new FailureReportError(
      'feedback_type_unsupported',
      `feedback on ${printableText(redact(type), 40)}, not on a failure`,
    );
  if (!fields.has('auth-failure'))
    throw new FailureReportError('not_a_report', 'the part has no fields of a failure report');
  warnings.add('feedback_type_missing');
}
