import { hash } from 'node:crypto';
import type { ReportHeader } from '@dmarc-ledger/dmarc';

/**
 * What makes two documents the same report: policy domain, reporter, report id and window. The reporter is the domain
 * of the contact address, because names change and are shared; without an address it is the name. (RFC 9990, 3.5.4;
 * rules, copies/report-identity)
 */
export function reportIdentity({ metadata, policyPublished }: ReportHeader): Buffer {
  const { reporterName, email, reportIdKey, begin, end } = metadata;
  const reporter = email?.split('@')[1]?.toLowerCase() || (reporterName ?? '').toLowerCase();
  return hash('sha256', JSON.stringify([policyPublished.domain, reporter, reportIdKey, begin, end]), 'buffer');
}

/**
 * The identity of the same report in a tool that cuts report ids at the `@`, as parsedmarc does; null for an id without
 * one. (rules, copies/unproven-copies)
 */
export function cutIdentity(header: ReportHeader): Buffer | null {
  const { reportIdKey } = header.metadata;
  const at = reportIdKey.indexOf('@');
  if (at < 1) return null;
  return reportIdentity({ ...header, metadata: { ...header.metadata, reportIdKey: reportIdKey.slice(0, at) } });
}
