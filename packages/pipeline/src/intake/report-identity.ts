import { hash } from 'node:crypto';
import { type ReportHeader, reporterKey } from '@dmarc-ledger/dmarc';

/**
 * What makes two documents the same report: policy domain, reporter, report id and window. (RFC 9990, 3.5.4;
 * rules, copies/report-identity)
 */
export function reportIdentity({ metadata, policyPublished }: ReportHeader): Buffer {
  const { reportIdKey, begin, end } = metadata;
  const parts = [policyPublished.domain, reporterKey(metadata), reportIdKey, begin, end];
  return hash('sha256', JSON.stringify(parts), 'buffer');
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
