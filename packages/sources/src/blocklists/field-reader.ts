import { isDomainName, normalizeDomain, printableText, type Refusal, fieldsOf } from '@dmarc-ledger/vocabulary';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LOOPBACK = /^127(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/;
const MAX_TEXT = 300;

type Fields = { [name: string]: unknown };

/** Reads the fields of one object of an operator's file. Faults are recorded with their place; reading continues. */
export class FieldReader {
  readonly #fields: Fields;
  readonly #place: string;
  readonly #faults: Refusal[];

  constructor(value: unknown, place: string, faults: Refusal[]) {
    this.#place = place;
    this.#faults = faults;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) this.refuse('blocklists_shape', 'an object is expected');
    this.#fields = isObject ? fieldsOf(value) : {};
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#fields, name);
  }

  /** Records each other field as a fault, so that a misspelt one is not silently ignored. */
  only(names: readonly string[]): void {
    for (const name of Object.keys(this.#fields))
      if (!names.includes(name))
        this.refuse(
          'blocklists_field_unknown',
          `${printableText(name, 40)} is no field; known are ${names.join(', ')}`,
        );
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  whole(name: string, from: number, to: number): number | undefined {
    return this.#read(name, `a whole number from ${from} to ${to}`, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to ? value : undefined,
    );
  }

  text(name: string): string | undefined {
    return this.#read(name, `a text of 1 to ${MAX_TEXT} characters`, (value) =>
      typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT ? printableText(value) : undefined,
    );
  }

  slug(name: string): string | undefined {
    if (!this.has(name)) return void this.refuse('blocklists_field_missing', `${name} is missing`);
    return this.#read(name, 'lower-case letters, digits and hyphens', (value) =>
      typeof value === 'string' && value.length <= 63 && SLUG.test(value) ? value : undefined,
    );
  }

  oneOf<const Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    return this.#read(name, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
  }

  domain(name: string): string | undefined {
    return this.#read(name, 'a domain name', (value) => {
      const domain = typeof value === 'string' ? normalizeDomain(value) : '';
      return isDomainName(domain) ? domain : undefined;
    });
  }

  webAddress(name: string): string | undefined {
    return this.#read(name, 'an http or https address', (value) =>
      typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined,
    );
  }

  code(name: string): string | undefined {
    return this.#read(name, 'an address in 127.0.0.0/8', asCode);
  }

  codes(name: string, most: number): string[] | undefined {
    if (!this.has(name)) return undefined;
    return this.#read(name, `at most ${most} addresses in 127.0.0.0/8`, (value) => {
      if (!Array.isArray(value) || value.length > most) return undefined;
      const codes = value.flatMap((code) => asCode(code) ?? []);
      return codes.length === value.length ? codes : undefined;
    });
  }

  /** The items of a list; none if it is absent. */
  list(name: string, most: number): unknown[] {
    const items = this.#read(name, `a list of at most ${most}`, (value) =>
      Array.isArray(value) && value.length <= most ? [...value] : undefined,
    );
    return items ?? [];
  }

  inside(value: unknown, place: string): FieldReader {
    return new FieldReader(value, `${this.#place}.${place}`, this.#faults);
  }

  refuse(code: string, message: string): void {
    this.#faults.push({ code, message: `${this.#place}: ${message}.` });
  }

  #read<Value>(name: string, expected: string, read: (value: unknown) => Value | undefined): Value | undefined {
    if (!this.has(name)) return undefined;
    const value = read(this.#fields[name]);
    if (value === undefined) this.refuse('blocklists_field_invalid', `${name} has to be ${expected}`);
    return value;
  }
}

function asCode(value: unknown): string | undefined {
  return typeof value === 'string' && LOOPBACK.test(value) ? value : undefined;
}
