import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { MAX_STORED_TEXT } from '../limits.ts';
import { ownText } from './own-text.ts';
import { readText } from './read-text.ts';
import type { Warn } from './warn.ts';

/** A domain field: the normalized name, and what it took to get it. */
export interface DomainField {
  domain: string;
  fromAddress: boolean;
  isName: boolean;
}

const REMEMBERED = 4_096;
const remembered = new Map<string, DomainField>();

/**
 * The domain in a field, of an address the part behind the `@`; null when the element is missing. The names of a report
 * are few and repeat, so the last ones are remembered.
 */
export function readDomain(raw: string | null, name: string, warn: Warn): DomainField | null {
  if (raw === null) return null;
  const known = remembered.get(raw);
  if (known) return known;
  const text = ownText(readText(raw, name, warn, MAX_STORED_TEXT) ?? '');
  const bare = text.replace(/^<(.*)>$/, '$1');
  const domain = normalizeDomain(bare.slice(bare.lastIndexOf('@') + 1));
  const field = { domain, fromAddress: bare.includes('@'), isName: isDomainName(domain) };
  if (raw.length <= MAX_STORED_TEXT) remember(raw, field);
  return field;
}

function remember(raw: string, field: DomainField): void {
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(ownText(raw), field);
}
