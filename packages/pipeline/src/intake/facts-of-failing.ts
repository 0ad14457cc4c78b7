import { isCompliant, type ReportRecord } from '@dmarc-ledger/dmarc';
import type { FactsOf } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { findFacts } from '../sources/known-facts.ts';

/** The most addresses whose facts are in memory; beyond them, the judgement alone reads facts, page by page. */
const MOST = 2_000;

/** Records that come in batches, with what is known of the sources of the batch that came last. */
export function batchesWithFacts(
  db: Db,
  orgId: string,
  batches: AsyncIterable<readonly ReportRecord[]>,
): { records: AsyncGenerator<readonly ReportRecord[]>; factsOf: FactsOf } {
  let facts: FactsOf = () => undefined;
  async function* read() {
    for await (const batch of batches) {
      facts = await factsOfFailing(db, orgId, [batch]);
      yield batch;
    }
  }
  return { records: read(), factsOf: (address) => facts(address) };
}

/**
 * What is known by now of the sources of failing mail: records that are written with the class that follows need not be
 * written again by the judgement.
 */
export async function factsOfFailing(
  db: Db,
  orgId: string,
  reports: Iterable<readonly ReportRecord[]>,
): Promise<FactsOf> {
  const addresses = new Set<string>();
  for (const records of reports)
    for (const { policyEvaluated, sourceIp } of records) if (!isCompliant(policyEvaluated)) addresses.add(sourceIp);
  if (addresses.size === 0 || addresses.size > MOST) return () => undefined;
  const facts = await findFacts(db, orgId, [...addresses]);
  return (address) => facts.get(address);
}
