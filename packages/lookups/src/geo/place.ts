import { fieldsOf, printableText } from '@dmarc-ledger/vocabulary';

/** The known place of an address. */
export interface Place {
  /** ISO 3166-1, two letters. */
  countryCode?: string;
  /** In English. */
  country?: string;
  city?: string;
  latitude?: number;
  longitude?: number;
}

/** The network of an address. */
export interface Network {
  asn?: number;
  /** Name of the network's holder. */
  isp?: string;
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Reads both shapes: flat (`country_code`, `city`) and nested as MaxMind's (`country.iso_code`, `city.names.en`). */
export function readPlace(record: unknown): Place {
  const fields = fieldsOf(record);
  const nested = fieldsOf(fields['country']);
  const location = fieldsOf(fields['location']);
  const countryCode = codeOf(fields['country_code'] ?? nested['iso_code'] ?? fields['country']);
  return withoutGaps({
    countryCode,
    country: nameOf(fields['country']) ?? (countryCode && countryNames.of(countryCode)),
    city: textOf(fields['city']) ?? nameOf(fields['city']),
    latitude: numberOf(fields['latitude'] ?? location['latitude'], 90),
    longitude: numberOf(fields['longitude'] ?? location['longitude'], 180),
  });
}

/**
 * Reads `{ autonomous_system_number, autonomous_system_organization }`, or `asn` as `15169` or `AS15169` with a name or
 * `as_name`.
 */
export function readNetwork(record: unknown): Network {
  const fields = fieldsOf(record);
  const number = fields['autonomous_system_number'] ?? fields['asn'] ?? fields['as_number'];
  const asn = Number(
    /^(?:AS)?(\d{1,10})$/i.exec(typeof number === 'number' ? String(number) : (textOf(number) ?? ''))?.[1] ?? NaN,
  );
  const names = ['autonomous_system_organization', 'isp', 'organization', 'as_name', 'as_organization', 'name'];
  const isp = names.map((name) => textOf(fields[name])).find((text) => text !== undefined);
  return withoutGaps({ asn: Number.isInteger(asn) && asn > 0 ? asn : undefined, isp });
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined;
}

function nameOf(value: unknown): string | undefined {
  return textOf(fieldsOf(fieldsOf(value)['names'])['en']);
}

/** Without control characters, which no text in the database may contain. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? printableText(value).trim() : '';
  return text === '' ? undefined : text;
}

function numberOf(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= most ? Math.round(value * 10_000) / 10_000 : undefined;
}

function withoutGaps<Shape extends object>(fields: Shape): Shape {
  // all fields are optional
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Shape;
}
