import type { Kind } from '../sniff.ts';

const STANDARD = new Map<string, readonly Kind[]>([
  ['application/gzip', ['gzip']],
  ['application/zip', ['zip']],
  ['text/xml', ['xml']],
  ['application/json', ['json']],
  ['application/tlsrpt+json', ['json']],
  ['application/tlsrpt+gzip', ['gzip']],
  ['message/rfc822', ['mail']],
  ['text/plain', ['other', 'mail']],
]);

/**
 * How a part's declared media type differs from what RFC 9990 (3.5.2) requires for such content; null when it does not.
 */
export function mediaTypeWarning(type: string | null, kind: Kind): string | null {
  if (type === null) return 'mime_no_content_type';
  if (type === 'application/octet-stream') return 'mime_type_octet_stream';
  if (STANDARD.get(type)?.includes(kind)) return null;
  const isZip = /\bzip\b|zip-/.test(type) && !type.includes('gzip');
  if ((kind === 'gzip' && isZip) || (kind === 'zip' && type.includes('gzip'))) return 'mime_type_mismatch';
  return 'mime_type_nonstandard';
}
