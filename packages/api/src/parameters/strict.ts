import { canonicalIp, isDay, isDomainName, normalizeDomain, parseId, storableDay } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { described } from './described.ts';

// Any value that a parameter does not take is refused with 400. (rules, api/strict-parameters)

const WHOLE = /^\d+$/;
const text = z.string().optional();

/** A window in days, within a range. */
export function strictDays({ max, standard }: { max: number; standard: number }) {
  const reader = text
    .transform((value) => (value === undefined ? standard : WHOLE.test(value) ? Number(value) : 0))
    .refine((number) => number >= 1 && number <= max, 'Invalid Days');
  return reader.register(described, {
    description: `How many days, ending now. Out of 1 to ${max}: 400.`,
    takes: `a whole number from 1 to ${max}`,
    schema: { type: 'integer', minimum: 1, maximum: max, default: standard },
  });
}

/** One of a few windows in days. */
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

/** A calendar day. */
export function calendarDay(description: string) {
  const reader = z.string().refine(isDay, 'Invalid Date Format').transform(storableDay).optional();
  const takes = 'a calendar day, such as 2026-03-01';
  return reader.register(described, { description, takes, schema: { type: 'string', format: 'date' } });
}

const DOMAIN_NAME = 'a domain name, such as example.com';

/** A domain name. */
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

/** A text that can be read; any other is refused with this error. */
function readable<Value>(read: (text: string) => Value | undefined, error: string) {
  return z.string({ error }).transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
}

/** An id in Crockford Base32. */
export function idParam(description: string, error: string) {
  return readable(parseId, error).register(described, {
    description,
    takes: 'the id of a report, as lists have it: 26 characters in Crockford Base32',
    schema: { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
  });
}

/** An IPv4 or IPv6 address in any of its forms. */
export function addressParam(description: string) {
  return readable(canonicalIp, 'Invalid IP Address').register(described, {
    description,
    takes: 'an IPv4 or IPv6 address, such as 192.0.2.1 or 2001:db8::1',
    schema: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
  });
}

/** A domain name in any of its forms. */
export function domainParam(description: string) {
  const error = 'Invalid Domain Name';
  const reader = z.string({ error }).transform(normalizeDomain).refine(isDomainName, error);
  const schema = { type: 'string', format: 'hostname', maxLength: 253 };
  return reader.register(described, { description, takes: DOMAIN_NAME, schema });
}
