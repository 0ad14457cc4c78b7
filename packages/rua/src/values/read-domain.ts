import { isDomainName, markedText, readDomainName } from '@dmarc-ledger/vocabulary';
import { MAX_STORED_TEXT } from '../limits.ts';
import { ownText } from './own-text.ts';
import { readText } from './read-text.ts';
import type { Warn } from './warn.ts';

/** A domain field: the normalized name, and the repairs it needed. */
export interface DomainField {
  /** An invalid domain name stays as it was sent, and aligns with nothing. */
  domain: string;
  fromAddress: boolean;
  /** The name of a host: two or more labels of letters, digits and hyphens. */
  isName: boolean;
  /** A domain name by its characters and its length; true for an empty field. */
  isValid: boolean;
}

const REMEMBERED = 4_096;

/** Where the domain is in the text of a field, and the fields that were read so far, by their text. */
interface Reading {
  remembered: Map<string, DomainField>;
  find: (text: string) => { text: string; fromAddress: boolean };
}

const WHOLE: Reading = { remembered: new Map(), find: (text) => ({ text, fromAddress: text.includes('@') }) };
const IN_ADDRESS: Reading = {
  remembered: new Map(),
  find(text) {
    const bare = text.trim().replace(/^<(.*)>$/, '$1');
    return { text: bare.slice(bare.lastIndexOf('@') + 1), fromAddress: bare.includes('@') };
  },
};

/** The domain that a result or a policy is about; null when the element is missing. Warns of an invalid name. */
export function readDomain(raw: string | null, name: string, warn: Warn): DomainField | null {
  return read(WHOLE, raw, name, warn);
}

/** The domain of a message, where some reporters write the address: then the part after the `@`. */
export function readAddressDomain(raw: string | null, name: string, warn: Warn): DomainField | null {
  return read(IN_ADDRESS, raw, name, warn);
}

/** The names of a report are few and repeat, so the last ones are cached. */
function read({ remembered, find }: Reading, raw: string | null, name: string, warn: Warn): DomainField | null {
  if (raw === null) return null;
  const known = remembered.get(raw);
  if (known?.isValid) return known;
  const { text, fromAddress } = find(raw);
  const domain = readDomainName(text);
  if (domain === undefined) warn('domain_invalid', name);
  const field = {
    domain: ownText(domain ?? asSent(raw, name, warn)),
    fromAddress,
    isName: domain !== undefined && isDomainName(domain),
    isValid: domain !== undefined,
  };
  if (raw.length <= MAX_STORED_TEXT) remember(remembered, raw, field);
  return field;
}

/**
 * The name as it can be stored: control characters are marked, because without them it would be another name.
 */
function asSent(raw: string, name: string, warn: Warn): string {
  return readText(markedText(raw.trim()), name, warn, MAX_STORED_TEXT) ?? '';
}

function remember(remembered: Map<string, DomainField>, raw: string, field: DomainField): void {
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(ownText(raw), field);
}
