import type { TlsaRecord } from '../ask.ts';

const DIGEST_BYTES = new Map([
  [1, 32],
  [2, 64],
]);

/** True for DANE-TA or DANE-EE with data of the right length: other records do not apply to mail. (RFC 7672, 3.1) */
export function isUsableTlsa({ usage, selector, matching, data }: TlsaRecord): boolean {
  if (usage !== 2 && usage !== 3) return false;
  if (selector !== 0 && selector !== 1) return false;
  return matching === 0 ? data.length > 0 : data.length === DIGEST_BYTES.get(matching);
}

/**
 * Returns the usable records that senders apply: of two digests of the same object only the stronger one. (RFC 7671, 9)
 */
export function withoutWeakerDigests(records: readonly TlsaRecord[]): TlsaRecord[] {
  return records.filter(
    ({ usage, selector, matching }) =>
      matching !== 1 ||
      !records.some((other) => other.usage === usage && other.selector === selector && other.matching === 2),
  );
}
