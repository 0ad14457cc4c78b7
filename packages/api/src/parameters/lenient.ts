import { canonicalIp, markedText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { described } from './described.ts';

// Parameters of lists, none of which refuses a value. (rules, api/lenient-parameters)

const INTEGER = /^-?\d+$/;
const MAX_LIMIT = 200;
const text = z.string().optional();

/** Page size: above 200 it is 200; zero, a negative number or any other text gives the default. */
export function limit(standard: number) {
  const reader = text.transform((value) => {
    if (value === undefined || !INTEGER.test(value)) return standard;
    const number = Number(value);
    return number > 0 ? Math.min(number, MAX_LIMIT) : standard;
  });
  return reader.register(described, {
    description:
      `Page size. Above ${MAX_LIMIT} it is ${MAX_LIMIT}; zero, negative or no whole number and the ` +
      `default applies.`,
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

/**
 * Part of a name, never refused: trimmed, and absent when empty. Characters that are never stored stay as a mark, so
 * that it finds nothing.
 */
export function part(description: string) {
  const reader = z
    .string()
    .transform((value) => markedText(value.trim()) || undefined)
    .optional();
  return reader.register(described, { description, schema: { type: 'string' } });
}

const SEARCH_LENGTH = 100;

/** A text for a search: trimmed, its first 100 characters. */
export function search(description: string) {
  const reader = z
    .string()
    .transform((value) => [...markedText(value.trim())].slice(0, SEARCH_LENGTH).join('') || undefined)
    .optional();
  const cut = `Trimmed; what is beyond ${SEARCH_LENGTH} characters is ignored.`;
  return reader.register(described, { description: `${description} ${cut}`, schema: { type: 'string' } });
}

/** An address in any form; any other text finds nothing, and white space alone counts as not given. */
export function addressFilter(description: string) {
  const reader = z
    .string()
    .transform((value) => (value.trim() === '' ? undefined : (canonicalIp(value.trim()) ?? null)))
    .optional();
  return reader.register(described, { description, schema: { type: 'string' } });
}
