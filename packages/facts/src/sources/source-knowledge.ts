import type { Db } from '@dmarc-ledger/schema';
import { type AddressFacts, type IdentifiedSender, isNamed } from '@dmarc-ledger/sources';
import { addressFacts, senderOf } from './address-facts.ts';
import { type Enrichment, findEnrichments } from './enrichments.ts';
import { findStandings } from './standings.ts';

/** What is known of an address: facts about the host, and its sender according to an organization's own mail. */
export interface SourceKnowledge {
  row: Enrichment;
  /** Undefined for an address that is never looked up. */
  facts: AddressFacts | undefined;
  /** Undefined if it is not recognised, or may not be named. */
  service: IdentifiedSender | undefined;
}

/** Returns what is known by address; addresses of which nothing is known are missing. */
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
      const service = isNamed(sender) ? sender : undefined;
      return facts || service ? [[row.address, { row, facts, service }]] : [];
    }),
  );
}
