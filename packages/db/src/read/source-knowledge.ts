import type { AddressFacts, IdentifiedSender, ListResult } from '@dmarc-ledger/sources';
import { isNamed } from '@dmarc-ledger/sources';
import type { Db } from '../database.ts';
import { addressFacts, senderOf } from '../sources/address-facts.ts';
import { findEnrichments, type Enrichment } from '../sources/save-facts.ts';
import { findStandings } from '../sources/standings.ts';

/** What is known of an address: facts about the host, and who its sender is by an organization's own mail. */
export interface SourceKnowledge {
  row: Enrichment;
  facts: AddressFacts;
  /** As far as it may be named. */
  service: IdentifiedSender | undefined;
}

/** Of addresses that nothing was looked up about there is no entry. */
export async function findSourceKnowledge(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, SourceKnowledge>> {
  if (addresses.length === 0) return new Map();
  const [rows, standings] = await Promise.all([findEnrichments(db, addresses), findStandings(db, orgId, addresses)]);
  return new Map(
    rows.flatMap((row): [string, SourceKnowledge][] => {
      const standing = standings.get(row.address);
      const sender = (standing ? standing.sender : senderOf(row)) ?? undefined;
      const facts = addressFacts(row, sender);
      return facts ? [[row.address, { row, facts, service: isNamed(sender) ? sender : undefined }]] : [];
    }),
  );
}

/** The answer of every list that was consulted last, the best ranked first. */
export async function findListResults(db: Db, address: string): Promise<ListResult[]> {
  const rows = await db.selectFrom('blocklist_result').select('result').where('address', '=', address).execute();
  return rows.map(({ result }) => result).toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
}
