import { cutText, printableText, storableText, type WarningList } from '@dmarc-ledger/vocabulary';
import type { Fields } from './fields.ts';
import { MAX_DOMAINS, MAX_TEXT } from './limits.ts';
import { domainOf, redact } from './redact.ts';

/** The null sender, as in automatic mail. */
const NULL_SENDER = '<>';

/** Reads single fields of a report, and collects warnings about them. */
export class FieldReader {
  readonly #fields: Fields;
  readonly #warnings: WarningList;

  constructor(fields: Fields, warnings: WarningList) {
    this.#fields = fields;
    this.#warnings = warnings;
  }

  /** Warns of a field, by its name: each may be odd in its own way. */
  warn(name: string, fault: string, detail: string | null = null): void {
    this.#warnings.add(`${name.replaceAll('-', '_')}_${fault}`, detail && printableText(redact(detail), 80));
  }

  has(name: string): boolean {
    return this.raw(name) !== null;
  }

  /** The first value of a field as sent; null when there is none. */
  raw(name: string): string | null {
    return this.#fields.get(name)?.find((value) => value !== '') ?? null;
  }

  /** The first value of a field as sent; warns when there is none. */
  required(name: string): string | null {
    const raw = this.raw(name);
    if (raw === null) this.warn(name, 'missing');
    return raw;
  }

  /** The value as it can be stored. It is redacted before it is cut: half an address is not recognized as one. */
  text(name: string, limit = MAX_TEXT): string | null {
    const raw = this.raw(name);
    if (raw === null) return null;
    const text = redact(storableText(raw)).trim();
    if (text.length > limit) this.warn(name, 'truncated');
    return cutText(text, limit) || null;
  }

  /** A word of an enumeration, without comments. Undefined when it is missing or unknown. */
  word<T extends string>(name: string, words: readonly T[]): T | undefined {
    const text = withoutComments(this.raw(name) ?? '').toLowerCase();
    const found = words.find((word) => word === text);
    if (found === undefined && text !== '') this.warn(name, 'unknown', text);
    return found;
  }

  /** The distinct domains in all values of a field. */
  domains(name: string): string[] {
    return this.#domainsOf(name, () => true);
  }

  /** The distinct domains of the addresses in all values of a field; a value without `@` may be a person's name. */
  addressDomains(name: string): string[] {
    return this.#domainsOf(name, (word) => word.includes('@'));
  }

  #domainsOf(name: string, isMeant: (word: string) => boolean): string[] {
    const words = (this.#fields.get(name) ?? []).flatMap((value) => withoutComments(value).split(/[;,\s]+/));
    const found = new Set(words.filter(isMeant).flatMap((word) => domainOf(word) ?? []));
    if (found.size === 0 && this.has(name) && this.raw(name) !== NULL_SENDER) this.warn(name, 'invalid');
    if (found.size > MAX_DOMAINS) this.warn(name, 'truncated');
    return [...found].slice(0, MAX_DOMAINS);
  }
}

export function withoutComments(text: string): string {
  return text.replace(/\([^()]*\)/g, ' ').trim();
}
