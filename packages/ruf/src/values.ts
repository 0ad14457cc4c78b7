import { canonicalIp } from '@dmarc-ledger/vocabulary';
import type { FieldReader } from './field-reader.ts';

const AHEAD = 48 * 3_600;
/** A date without its zone is nobody's: guessing one could move the failure to another day. */
const ZONED = /(?:[+-]\d{4}|\b(?:UT|UTC|GMT|Z|[ECMP][SD]T))$/i;

/** The address the message came from; some append the host in parentheses, others dress the address in brackets. */
export function readSourceIp(reader: FieldReader): string | null {
  const raw = reader.raw('source-ip');
  if (raw === null) {
    reader.warn('field_missing', 'source-ip');
    return null;
  }
  const [first = ''] = raw.split(/[\s(;,]/, 1);
  const ip = canonicalIp(first.replace(/^\[(?:ipv6:)?(.*)\]$/i, '$1').replace(/^ipv6:/i, ''));
  if (ip === undefined) reader.warn('source_ip_invalid', 'source-ip');
  return ip ?? null;
}

export function readDomain(reader: FieldReader, name: string): string | null {
  const domains = reader.domains(name);
  if (!reader.has(name)) reader.warn('field_missing', name);
  if (domains.length > 1) reader.warn('field_repeated', name);
  return domains[0] ?? null;
}

/** When the message came in, by the old name of the field as well. (RFC 5965, 3.2) */
export function readArrival(reader: FieldReader, receivedAt: number): number | null {
  const raw = reader.raw('arrival-date') ?? reader.raw('received-date');
  if (raw === null) {
    reader.warn('field_missing', 'arrival-date');
    return null;
  }
  const text = raw.replace(/\([^()]*\)/g, ' ').trim();
  const seconds = ZONED.test(text) ? Math.floor(Date.parse(text) / 1000) : Number.NaN;
  if (!(seconds >= 0 && seconds <= receivedAt + AHEAD)) {
    reader.warn('arrival_invalid', 'arrival-date');
    return null;
  }
  return seconds;
}

/** How often this happened; 1 when the report does not tell. */
export function readIncidents(reader: FieldReader): number {
  const raw = reader.raw('incidents');
  if (raw === null) return 1;
  const count = /^\d{1,9}$/.test(raw) ? Number(raw) : 0;
  if (count === 0) reader.warn('count_invalid', 'incidents');
  return Math.max(1, count);
}

/** The mechanisms that did not align, or `none` when both did. (RFC 9991, 4) */
export function readAlignment(reader: FieldReader): ('dkim' | 'spf')[] | null {
  const raw = reader.raw('identity-alignment');
  if (raw === null) {
    reader.warn('field_missing', 'identity-alignment');
    return null;
  }
  const words = raw
    .replace(/\([^()]*\)/g, ' ')
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((word) => word !== '');
  if (words.some((word) => !['dkim', 'spf', 'none'].includes(word))) reader.warn('word_unknown', 'identity-alignment');
  return (['dkim', 'spf'] as const).filter((word) => words.includes(word));
}
