import { trimAsciiSpace } from '@dmarc-ledger/vocabulary';
import { readAddress, readReportUris } from './report-address.ts';

const RUA = /^[ \t\r\n]*rua[ \t\r\n]*=/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Returns a DMARC record that sends reports to one more address. It has one `rua`, of URIs that can be read: receivers
 * skip an address without `mailto:`, and what follows a space or stands in a second `rua`. (RFC 9989, 4.7 and 4.8;
 * rules, domain-checks/record-to-publish)
 */
export function addReportAddress(record: string, address: string): string {
  const pieces = record.split(';');
  const first = pieces.findIndex((piece) => RUA.test(piece));
  if (first === -1) return `${trimAsciiSpace(record).replace(/;$/, '')}; rua=mailto:${address}`;
  const listed = pieces.filter((piece) => RUA.test(piece)).flatMap((piece) => piece.replace(RUA, '').split(/[\s,]+/));
  const uris = [...listed.flatMap(readableUri), `mailto:${address}`];
  const rua = ` rua=${withoutRepeats(uris).join(',')}`;
  return pieces.flatMap((piece, i) => (i === first ? [rua] : RUA.test(piece) ? [] : [piece])).join(';');
}

/** A URI that receivers can use, or that is none of ours to judge; an address gets its scheme. */
function readableUri(text: string): string[] {
  const [uri] = readReportUris(text);
  if (!uri) return [];
  if (uri.address !== null || (SCHEME.test(text) && !/^mailto:/i.test(text))) return [text];
  return readAddress(text) === null ? [] : [`mailto:${text}`];
}

function withoutRepeats(uris: readonly string[]): string[] {
  const names = uris.map((uri) => readReportUris(uri)[0]?.address ?? uri);
  return uris.filter((_, i) => names.indexOf(names[i] ?? '') === i);
}

/** The same of a TLS-RPT record, whose `rua` is one field without white space around `=`. (RFC 8460, 3) */
export function addTlsReportAddress(record: string, address: string): string {
  return record.replace(/(^|;)(\s*rua=[^;]*)/, (_, before: string, field: string) => {
    return `${before}${field.trimEnd()},mailto:${address}`;
  });
}
