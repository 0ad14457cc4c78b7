import { storableText } from '@dmarc-ledger/vocabulary';
import { MAX_STORED_TEXT } from '../limits.ts';
import type { Warn } from './warn.ts';

/** The text without white space at its ends, as it can be stored, cut to its limit; null for none. */
export function readText(raw: string | null, name: string, warn: Warn, limit = MAX_STORED_TEXT): string | null {
  if (raw === null) return null;
  const text = storableText(raw).trim();
  if (text.length > limit) {
    warn('text_truncated', name);
    return cutText(text, limit);
  }
  return text === '' ? null : text;
}

/** At most `limit` characters, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}

/** As many whole characters as fit into so many bytes of UTF-8. */
export function cutBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
