import { cutText, printableText, storableText, type WarningList } from '@dmarc-ledger/vocabulary';
import type { Fields } from './fields.ts';
import { MAX_DOMAINS, MAX_TEXT } from './limits.ts';
import { domainOf } from './redact.ts';

const COMMENT = /\([^()]*\)/g;

/** Reads single fields of a report, and says what is odd about them. */
export class FieldReader {
  readonly #fields: Fields;
  readonly #warnings: WarningList;

  constructor(fields: Fields, warnings: WarningList) {
    this.#fields = fields;
    this.#warnings = warnings;
  }

  warn(code: string, detail: string): void {
    this.#warnings.add(code, printableText(detail, 80));
  }

  has(name: string): boolean {
    return this.raw(name) !== null;
  }

  /** The first value of a field as sent; null when there is none. */
  raw(name: string): string | null {
    return this.#fields.get(name)?.find((value) => value !== '') ?? null;
  }

  /** The value as it can be stored. It is cleaned before it is cut: half an address is not known to be one. */
  text(name: string, limit = MAX_TEXT, clean: (text: string) => string = (text) => text): string | null {
    const raw = this.raw(name);
    if (raw === null) return null;
    const text = clean(storableText(raw)).trim();
    if (text.length > limit) this.warn('text_truncated', name);
    return cutText(text, limit) || null;
  }

  /** A word of an enumeration, without comments. Undefined when it is missing or another one. */
  word<T extends string>(name: string, words: readonly T[], isRequired = false): T | undefined {
    const raw = this.raw(name);
    if (raw === null) return isRequired ? void this.warn('field_missing', name) : undefined;
    const text = raw.replace(COMMENT, ' ').trim().toLowerCase();
    const found = words.find((word) => word === text);
    if (found === undefined) this.warn('word_unknown', `${name}: ${text.includes('@') ? '' : text}`);
    return found;
  }

  /** The different domains in all values of a field, of addresses the part behind the `@`. */
  domains(name: string): string[] {
    const values = (this.#fields.get(name) ?? []).flatMap((value) => value.replace(COMMENT, ' ').split(/[;,\s]+/));
    const found = new Set(values.flatMap((value) => (value === '' ? [] : (domainOf(value) ?? []))));
    if (found.size === 0 && this.has(name) && this.raw(name) !== '<>') this.warn('domain_invalid', name);
    if (found.size > MAX_DOMAINS) this.warn('list_truncated', name);
    return [...found].slice(0, MAX_DOMAINS);
  }
}
