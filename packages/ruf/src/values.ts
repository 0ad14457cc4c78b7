import { canonicalIp, isAhead } from '@dmarc-ledger/vocabulary';
import { withoutComments, type FieldReader } from './field-reader.ts';
import { MAX_RESULTS } from './limits.ts';

/** A date without its zone is ignored: guessing one could move the failure to another day. */
const ZONED = /(?:[+-]\d{4}|\b(?:UT|UTC|GMT|Z|[ECMP][SD]T))$/i;

/** The source address of the message; some reporters append the host in parentheses, others put brackets around it. */
export function readSourceIp(reader: FieldReader): string | null {
  const raw = reader.required('source-ip');
  if (raw === null) return null;
  const [first = ''] = raw.split(/[\s(;,]/, 1);
  const ip = canonicalIp(first.replace(/^\[(?:ipv6:)?(.*)\]$/i, '$1').replace(/^ipv6:/i, ''));
  if (ip === undefined) reader.warn('source-ip', 'invalid');
  return ip ?? null;
}

/** The domain in the message's From field. */
export function readReportedDomain(reader: FieldReader): string | null {
  reader.required('reported-domain');
  const domains = reader.domains('reported-domain');
  if (domains.length > 1) reader.warn('reported-domain', 'repeated');
  return domains[0] ?? null;
}

export function readResults(reader: FieldReader): string | null {
  reader.required('authentication-results');
  return reader.text('authentication-results', MAX_RESULTS);
}

/** When the message was received, also by the old name of the field. (RFC 5965, 3.2) */
export function readArrival(reader: FieldReader, receivedAt: number): number | null {
  const raw = reader.raw('arrival-date') ?? reader.raw('received-date') ?? reader.required('arrival-date');
  if (raw === null) return null;
  const text = withoutComments(raw);
  const seconds = ZONED.test(text) ? Math.floor(Date.parse(text) / 1000) : Number.NaN;
  if (!(seconds >= 0) || isAhead(seconds, { receivedAt })) {
    reader.warn('arrival-date', 'invalid');
    return null;
  }
  return seconds;
}

/** How often this happened; 1 when the report does not say. */
export function readIncidents(reader: FieldReader): number {
  const raw = reader.raw('incidents');
  if (raw === null) return 1;
  const count = /^\d{1,9}$/.test(raw) ? Number(raw) : 0;
  if (count === 0) reader.warn('incidents', 'invalid');
  return Math.max(1, count);
}
