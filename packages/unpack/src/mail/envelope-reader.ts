import { isDomainName, markedText, normalizeDomain, present } from '@dmarc-ledger/vocabulary';
import type { Envelope, TraceField } from '../envelope.ts';

const MAX_RECIPIENTS = 50;
const MAX_RESULTS = 16;
/** No server passes on a mail that has more; it would go round in circles. (RFC 5321, 6.3) */
const MAX_RECEIVED = 100;
const RECIPIENT_FIELDS = new Set([
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
  'to',
  'cc',
]);
/**
 * A name or a local part in quotes, in which another address may stand, or a comment. (RFC 5322, 3.2.2 and 3.4.1) An
 * escaped character opens neither: a search from each one would take a time that grows with the square of the length.
 */
const ASIDE = /\\.|"((?:[^"\\]|\\.)*)"(@?)|\((?:[^()\\]|\\.)*\)/gs;
const PLAIN_LOCAL = /^[^\s<>()[\],;:"@\\]{1,64}$/;
const ADDRESS = /[^\s<>()[\],;:"@]{1,64}@[^\s<>()[\],;:"@]{1,253}/g;

/** Reads the header fields of a message, in their order, as an envelope. */
export class EnvelopeReader {
  readonly envelope: Envelope = { receivedAt: null, from: null, recipients: [], trace: [] };
  #fromFields = 0;
  readonly #left = { received: MAX_RECEIVED, 'authentication-results': MAX_RESULTS };

  field(name: string, raw: string): void {
    const value = markedText(raw); // a field must not contain control characters, and the ledger cannot store NUL
    if (name === 'from') this.#from(value);
    else if (name === 'received' || name === 'authentication-results') this.#trace({ name, value: value.trim() });
    else if (RECIPIENT_FIELDS.has(name)) this.#recipients(value);
  }

  /** DMARC applies to the one domain in the one From field; several leave none. (RFC 9989, 5.3.1) */
  #from(value: string): void {
    this.#fromFields += 1;
    const domains = new Set(addressesIn(value).map((address) => address.slice(address.indexOf('@') + 1)));
    this.envelope.from = this.#fromFields === 1 && domains.size === 1 ? present([...domains][0]) : null;
  }

  #trace(field: TraceField): void {
    if (this.#left[field.name] === 0) return;
    this.#left[field.name] -= 1;
    this.envelope.trace.push(field);
  }

  #recipients(value: string): void {
    const { recipients } = this.envelope;
    for (const address of addressesIn(value)) {
      if (recipients.length < MAX_RECIPIENTS && !recipients.includes(address)) recipients.push(address);
    }
  }
}

/** The addresses in a field, without names and comments. (RFC 5322, 3.4) */
function addressesIn(value: string): string[] {
  const unquoted = value.replace(ASIDE, (text, quoted = '', at = '') => {
    if (text.startsWith('\\')) return text;
    return at === '' ? ' ' : `${PLAIN_LOCAL.test(quoted) ? quoted : 'quoted'}@`;
  });
  return (unquoted.match(ADDRESS) ?? []).flatMap((address) => {
    const at = address.indexOf('@');
    const domain = normalizeDomain(address.slice(at + 1));
    return isDomainName(domain) ? [`${address.slice(0, at)}@${domain}`] : [];
  });
}
