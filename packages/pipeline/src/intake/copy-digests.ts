import { hash } from 'node:crypto';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';

/** A digest for each record, sorted, so that order does not matter; equal records have equal digests. */
export async function digestRecords(batches: AsyncIterable<readonly ReportRecord[]>): Promise<BigUint64Array> {
  let digests = new BigUint64Array(1024);
  let count = 0;
  for await (const batch of batches) {
    for (const record of batch) {
      if (count === digests.length) {
        const grown = new BigUint64Array(count * 2);
        grown.set(digests);
        digests = grown;
      }
      digests[count] = hash('sha256', recordText(record), 'buffer').readBigUInt64BE();
      count += 1;
    }
  }
  return digests.slice(0, count).sort();
}

/** Whether two copies have the same records, by their sorted digests. */
export function areEqualDigests(a: BigUint64Array, b: BigUint64Array): boolean {
  return a.length === b.length && a.every((digest, i) => digest === b[i]);
}

/** A record as text that is equal for equal records, wherever they were read from. */
function recordText({
  sourceIp,
  count,
  policyEvaluated: { disposition, dkim, spf, reasons },
  identifiers,
  authResults,
}: ReportRecord): string {
  return JSON.stringify([
    sourceIp,
    count,
    disposition,
    dkim,
    spf,
    reasons?.map(({ type, comment }) => [type, comment]) ?? null,
    identifiers.headerFrom,
    identifiers.envelopeFrom,
    identifiers.envelopeTo,
    authResults.dkim?.map(({ domain, selector, result, humanResult }) => [domain, selector, result, humanResult]) ??
      null,
    authResults.spf?.map(({ domain, scope, result, humanResult }) => [domain, scope, result, humanResult]) ?? null,
  ]);
}

/** A digest that is equal for equal headers: the database returns the fields of a stored one in another order. */
export function digestHeader(header: ReportHeader): string {
  return hash('sha256', JSON.stringify(header, inOrder));
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
