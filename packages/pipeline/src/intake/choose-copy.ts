import { strongest } from '@dmarc-ledger/dmarc';
import { areEqualDigests } from './copy-digests.ts';

/**
 * A copy of a report, as the choice compares it. The digests are sorted, one for each record; equal records have equal
 * digests.
 */
export interface CandidateCopy {
  payloadSha256: Buffer;
  headerDigest: string;
  recordDigests: BigUint64Array;
  /** Whether the mail passed as the reporter; null when nothing is known about it. */
  authenticated: boolean | null;
  /** Whether only imports brought it. */
  isUnproven: boolean;
  /** Time of receipt by mail, in milliseconds since 1970; null for files and uploads. */
  mailReceivedAt: number | null;
}

/**
 * Copies with the same content, ignoring the order of records, joined into one with the best properties of any of them.
 */
export interface DistinctCopy extends CandidateCopy {
  payloads: Buffer[];
}

/** Joins copies whose content is equal. */
export function distinctCopies(copies: readonly CandidateCopy[]): DistinctCopy[] {
  const distinct: DistinctCopy[] = [];
  for (const copy of copies.toSorted((a, b) => Buffer.compare(a.payloadSha256, b.payloadSha256))) {
    const same = distinct.find(
      (other) => other.headerDigest === copy.headerDigest && areEqualDigests(other.recordDigests, copy.recordDigests),
    );
    if (!same) {
      distinct.push({ ...copy, payloads: [copy.payloadSha256] });
      continue;
    }
    same.payloads.push(copy.payloadSha256);
    if (same.isUnproven !== copy.isUnproven) throw new Error('Unproven copies are compared only with one another.');
    same.authenticated = strongest(same.authenticated, copy.authenticated);
    same.mailReceivedAt = earlier(same.mailReceivedAt, copy.mailReceivedAt);
  }
  return distinct;
}

/**
 * Chooses the one copy that counts, independent of the order of arrival: mail authenticated as the reporter first, then
 * a copy whose records are not contained in another's, then the earliest receipt by mail, then the smallest hash. The
 * content of an unauthenticated copy never counts against an authenticated one, because anybody could have made it.
 * (RFC 9990, 3.5.4, leaves the choice to the consumer; rules, copies/choice-of-a-copy)
 */
export function chooseCopy(copies: readonly DistinctCopy[]): DistinctCopy {
  const contained = new Map(
    copies.map((copy) => [
      copy,
      copies.some(
        (other) =>
          other !== copy &&
          Number(other.authenticated === true) >= Number(copy.authenticated === true) &&
          isContained(copy.recordDigests, other.recordDigests),
      ),
    ]),
  );
  return copies.toSorted(
    (a, b) =>
      Number(b.authenticated === true) - Number(a.authenticated === true) ||
      Number(contained.get(a)) - Number(contained.get(b)) ||
      compareReceipt(a.mailReceivedAt, b.mailReceivedAt) ||
      Buffer.compare(a.payloadSha256, b.payloadSha256),
  )[0]!;
}

/** Orders by receipt by mail, earliest first, in milliseconds since 1970; copies that came otherwise are last. */
export function compareReceipt(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a - b;
}

function earlier(a: number | null, b: number | null): number | null {
  return compareReceipt(a, b) <= 0 ? a : b;
}

/** Whether the larger contains every record of the smaller, at least as many times. */
function isContained(smaller: BigUint64Array, larger: BigUint64Array): boolean {
  if (smaller.length >= larger.length) return false;
  let at = 0;
  for (const digest of smaller) {
    while (at < larger.length && larger[at]! < digest) at += 1;
    if (larger[at] !== digest) return false;
    at += 1;
  }
  return true;
}
