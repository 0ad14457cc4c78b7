import { withoutComments, type FieldReader } from './field-reader.ts';
import { authFailures, deliveryResults, type AuthFailure, type DeliveryResult } from './report.ts';

/** The failed check; an aligned message without a failure is not reported. (RFC 6591, 3.2; RFC 9991, 4) */
export function readAuthFailure(reader: FieldReader): AuthFailure | null {
  reader.required('auth-failure');
  return reader.word('auth-failure', authFailures) ?? null;
}

/** A nonstandard word means some other result. */
export function readDeliveryResult(reader: FieldReader): DeliveryResult | null {
  return reader.word('delivery-result', deliveryResults) ?? (reader.has('delivery-result') ? 'other' : null);
}

const MECHANISMS = ['dkim', 'spf'] as const;

/** The mechanisms that did not align, or `none` when both did. (RFC 9991, 4) */
export function readAlignment(reader: FieldReader): ('dkim' | 'spf')[] | null {
  const raw = reader.required('identity-alignment');
  if (raw === null) return null;
  const words = withoutComments(raw)
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((word) => word !== '');
  const known = words.filter((word) => word === 'dkim' || word === 'spf' || word === 'none');
  if (known.length < words.length) reader.warn('identity-alignment', 'unknown', raw);
  return known.length > 0 ? MECHANISMS.filter((mechanism) => known.includes(mechanism)) : null;
}
