import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import type { ReportMetadata } from '@dmarc-ledger/dmarc';
import { MAX_REPORT_ID_BYTES, MAX_REPORT_ID_KEY, MAX_STORED_REMARK, MAX_STORED_TEXT } from '../limits.ts';
import { cutBytes, cutText, readText } from '../values/read-text.ts';
import type { Warn } from '../values/warn.ts';
import type { RawMetadata } from '../xml/raw-report.ts';
import { readWindow } from './read-window.ts';

export interface MetadataContext {
  version: string | null;
  receivedAt: number;
  /** The id of a report that has none of its own. */
  digest: () => string;
}

/** `report_metadata`, and the version beside it. (RFC 9990, 3.1.1.1 to 3.1.1.3) */
export function readMetadata(raw: RawMetadata, context: MetadataContext, warn: Warn): ReportMetadata {
  const email = readEmail(raw.email, warn);
  const reportId = readReportId(raw.report_id, warn);
  return {
    version: readVersion(context.version, warn),
    reporterName: readReporterName(raw.org_name, email, warn),
    email,
    extraContactInfo: readText(raw.extra_contact_info, 'extra_contact_info', warn, MAX_STORED_REMARK),
    reportId,
    reportIdKey: reportIdKey(reportId) || context.digest(),
    ...readWindow(raw.date_range, context.receivedAt, warn),
    errors: readErrors(raw.error, warn),
    generator: readText(raw.generator, 'generator', warn),
  };
}

/** The id without one pair of angle brackets; two ids that differ after an `@` stay different. (RFC 9990, 3.5.1) */
function reportIdKey(reportId: string | null): string {
  const bare =
    reportId
      ?.trim()
      .replace(/^<(.*)>$/s, '$1')
      .trim() ?? '';
  return cutText(bare, MAX_REPORT_ID_KEY);
}

function readVersion(raw: string | null, warn: Warn): string | null {
  const version = readText(raw, 'version', warn);
  if (version !== null && version !== '1.0') warn('version_unexpected', cutText(version, 20));
  return version;
}

function readEmail(raw: string | null, warn: Warn): string | null {
  const email = readText(raw, 'email', warn);
  if (email === null) warn('email_missing');
  else if (!emailDomain(email)) warn('email_invalid');
  return email;
}

function emailDomain(email: string | null): string | null {
  if (!email?.includes('@')) return null;
  const domain = normalizeDomain(email.slice(email.lastIndexOf('@') + 1).replace(/>$/, ''));
  return isDomainName(domain) ? domain : null;
}

function readReporterName(raw: string | null, email: string | null, warn: Warn): string | null {
  const name = readText(raw, 'org_name', warn, MAX_STORED_TEXT);
  if (name !== null) return name;
  warn('org_name_missing');
  return emailDomain(email);
}

/** Kept as the reporter wrote it, as far as an index can hold it; the key is cut earlier. */
function readReportId(raw: string | null, warn: Warn): string | null {
  const id = readText(raw, 'report_id', warn, Number.MAX_SAFE_INTEGER);
  if (id === null) {
    warn('report_id_missing');
    return null;
  }
  if (id.length > MAX_REPORT_ID_KEY) warn('report_id_nonconforming', `${id.length} characters`);
  const kept = cutBytes(id, MAX_REPORT_ID_BYTES);
  if (kept.length < id.length) warn('text_truncated', 'report_id');
  return kept;
}

function readErrors(raw: readonly string[] | null, warn: Warn): string[] | null {
  const errors =
    raw?.map((error) => readText(error, 'error', warn, MAX_STORED_REMARK)).filter((error) => error !== null) ?? [];
  return errors.length ? errors : null;
}
