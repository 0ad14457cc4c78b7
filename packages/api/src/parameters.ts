import { canonicalIp, isDay, isDomainName, normalizeDomain, parseId, storableText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';

/** The documentation of a parameter; the reader itself accepts any text. */
interface Description {
  description: string;
  schema: { [keyword: string]: unknown };
  /** Of a parameter that refuses other values: what it takes, as the end of a sentence. */
  takes?: string;
}

const described = z.registry<Description>();

export function describeParameter(reader: z.ZodType): Description {
  const description = described.get(reader);
  if (!description) throw new TypeError('A parameter is described where it is defined.');
  return description;
}

/** What a parameter takes that refuses other values; undefined for one that never does. */
export function takesOf(reader: unknown): string | undefined {
  return reader instanceof z.ZodType ? described.get(reader)?.takes : undefined;
}

const INTEGER = /^-?\d+$/;
const MAX_LIMIT = 200;
const text = z.string().optional();

/**
 * Page size: above 200 it is 200; zero, a negative number or any other text gives the default. (rules,
 * api/lenient-parameters)
 */
export function limit(standard: number) {
  const reader = text.transform((value) => {
    if (value === undefined || !INTEGER.test(value)) return standard;
    const number = Number(value);
    return number > 0 ? Math.min(number, MAX_LIMIT) : standard;
  });
  return reader.register(described, {
    description: `Page size. Above ${MAX_LIMIT} it is ${MAX_LIMIT}; zero, negative or no whole number and the default applies.`,
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: standard },
  });
}

/** Rows to skip; a negative number or any other text skips none. */
export const offset = text
  .transform((value) =>
    value !== undefined && INTEGER.test(value) ? Math.max(0, Math.min(Number(value), Number.MAX_SAFE_INTEGER)) : 0,
  )
  .register(described, {
    description: 'Rows to skip. Negative or no whole number: 0. Past the end: an empty page with the true total.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  });

/** A window in days; a number out of range or any other text gives the default. */
export function days({ max, standard }: { max: number; standard: number }) {
  const reader = text.transform((value) => {
    const number = value !== undefined && INTEGER.test(value) ? Number(value) : standard;
    return number >= 1 && number <= max ? number : standard;
  });
  return reader.register(described, {
    description: `How many days, ending today. Out of 1 to ${max}: ${standard}.`,
    schema: { type: 'integer', minimum: 1, maximum: max, default: standard },
  });
}

/** Strict: a window in days that is out of range, or not a whole number, is refused. */
export function strictDays({ max, standard }: { max: number; standard: number }) {
  const reader = text
    .transform((value) => (value === undefined ? standard : INTEGER.test(value) ? Number(value) : 0))
    .refine((number) => number >= 1 && number <= max, 'Invalid Days');
  return reader.register(described, {
    description: `How many days, ending now. Out of 1 to ${max}: 400.`,
    takes: `a whole number from 1 to ${max}`,
    schema: { type: 'integer', minimum: 1, maximum: max, default: standard },
  });
}

/** Strict: one of a few windows in days; anything else is refused. */
export function oneOfDays<const Length extends number>(lengths: readonly [Length, ...Length[]]) {
  const listed = `${lengths.slice(0, -1).join(', ')} or ${lengths.at(-1)}`;
  const reader = text.transform((value, context) => {
    const length = value === undefined ? lengths[0] : lengths.find((each) => String(each) === value);
    if (length !== undefined) return length;
    context.addIssue({ code: 'custom', message: 'Invalid Days' });
    return z.NEVER;
  });
  return reader.register(described, {
    description: `How many days, ending today: ${listed}. Anything else: 400.`,
    takes: `the number ${listed}`,
    schema: { type: 'integer', enum: [...lengths], default: lengths[0] },
  });
}

/** One of the given words, in any case; any other counts as absent. */
export function oneOf<const Word extends string>(words: readonly [Word, ...Word[]], description: string) {
  const reader = z.string().toLowerCase().pipe(z.enum(words)).optional().catch(undefined);
  return reader.register(described, { description, schema: { type: 'string', enum: [...words] } });
}

/** One of the given words, in any case; the default for any other. */
export function oneOfOr<const Word extends string>(
  words: readonly [Word, ...Word[]],
  standard: NoInfer<Word>,
  description: string,
) {
  const reader = z.string().toLowerCase().pipe(z.enum(words)).catch(standard);
  return reader.register(described, { description, schema: { type: 'string', enum: [...words], default: standard } });
}

/** `true` or `1`, `false` or `0`; anything else counts as absent. */
export function flag(description: string) {
  const reader = z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 'false', '0']))
    .transform((word) => word === 'true' || word === '1');
  return reader
    .optional()
    .catch(undefined)
    .register(described, { description, schema: { type: 'boolean' } });
}

/** Part of a name, never refused: trimmed, and absent when empty. */
export function part(description: string) {
  const reader = z
    .string()
    .transform((value) => storableText(value).trim() || undefined)
    .optional();
  return reader.register(described, { description, schema: { type: 'string' } });
}

const SEARCH_LENGTH = 100;

/** A text for a search: trimmed, its first 100 characters. */
export function search(description: string) {
  const reader = z
    .string()
    .transform((value) => [...storableText(value).trim()].slice(0, SEARCH_LENGTH).join('') || undefined)
    .optional();
  const cut = `Trimmed; what is beyond ${SEARCH_LENGTH} characters is ignored.`;
  return reader.register(described, { description: `${description} ${cut}`, schema: { type: 'string' } });
}

/** An address in any form; any other text finds nothing. */
export function addressFilter(description: string) {
  const reader = z
    .string()
    .transform((value) => canonicalIp(value) ?? null)
    .optional();
  return reader.register(described, { description, schema: { type: 'string' } });
}

/** The first day that both PostgreSQL and RFC 3339 can write. No report is that old. */
const FIRST_DAY = '0001-01-01';

/** Strict: any text but a calendar day is refused with 400. (rules, api/strict-parameters) */
export function calendarDay(description: string) {
  const reader = z
    .string()
    .refine(isDay, 'Invalid Date Format')
    .transform((day) => (day < FIRST_DAY ? FIRST_DAY : day))
    .optional();
  const takes = 'a calendar day, such as 2026-03-01';
  return reader.register(described, { description, takes, schema: { type: 'string', format: 'date' } });
}

const DOMAIN_NAME = 'a domain name, such as example.com';

/** Strict: any text but a domain name is refused with 400. (rules, api/strict-parameters) */
export const domainFilter = z
  .string()
  .transform(normalizeDomain)
  .refine(isDomainName, 'Invalid Domain Name')
  .optional()
  .register(described, {
    description: 'One domain, matched exactly: a subdomain is a domain of its own. Without it, the whole organization.',
    takes: DOMAIN_NAME,
    schema: { type: 'string', format: 'hostname', maxLength: 253 },
  });

/** Strict: an id in Crockford Base32. */
export function idParam(description: string, error: string) {
  const reader = z.string({ error }).transform((value, context) => {
    const id = parseId(value);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
  return reader.register(described, {
    description,
    takes: 'the id of a report, as lists have it: 26 characters in Crockford Base32',
    schema: { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
  });
}

/** Strict: an IPv4 or IPv6 address in any of its forms. */
export function addressParam(description: string) {
  const error = 'Invalid IP Address';
  const reader = z.string({ error }).transform((value, context) => {
    const address = canonicalIp(value);
    if (address !== undefined) return address;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
  return reader.register(described, {
    description,
    takes: 'an IPv4 or IPv6 address, such as 192.0.2.1 or 2001:db8::1',
    schema: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
  });
}

/** Strict: a domain name in any of its forms. */
export function domainParam(description: string) {
  const error = 'Invalid Domain Name';
  const reader = z.string({ error }).transform(normalizeDomain).refine(isDomainName, error);
  const schema = { type: 'string', format: 'hostname', maxLength: 253 };
  return reader.register(described, { description, takes: DOMAIN_NAME, schema });
}
