import { readReportUris, type ReportUri } from './report-address.ts';
import { strictCandidatesOf, strictValueOf } from './tag-list.ts';

const SCHEME = /^(?:mailto|https):/i;

/** The addresses of the one valid TLS-RPT record among these texts; undefined without one. (RFC 8460, 3) */
export function readTlsReportUris(texts: readonly string[]): ReportUri[] | undefined {
  const [record, ...more] = strictCandidatesOf(texts, 'TLSRPTv1');
  if (record === undefined || more.length > 0) return undefined;
  const uris = readReportUris(strictValueOf(record, 'rua'));
  return uris.some(({ text }) => SCHEME.test(text)) ? uris : undefined;
}
