import {
  announceJudgement,
  findEnrichments,
  findStandings,
  senderOf,
  sourceFacts,
  transact,
  type Database,
  type Enrichment,
} from '@dmarc-ledger/db';
import type { SourceFacts } from '@dmarc-ledger/dmarc';

/** What is known of addresses now, as an organization's mail from them is judged by it. */
export interface KnownFacts {
  of(address: string): SourceFacts | undefined;
  /** Has mail judged again whose facts have changed since: called when what was judged by them is committed. */
  recheck(): Promise<void>;
}

/** The sender is told by the organization's own mail as far as that was looked at, else by the address alone. */
export async function knownFacts(
  database: Database,
  orgId: string,
  addresses: ReadonlySet<string>,
): Promise<KnownFacts> {
  const asked = [...addresses];
  const rows = (await findEnrichments(database.db, asked)).filter(({ version }) => version > 0);
  const known = new Map(rows.map((row) => [row.address, row]));
  const standings = known.size === 0 ? new Map() : await findStandings(database.db, orgId, [...known.keys()]);
  const factsOf = (row: Enrichment) => {
    const standing = standings.get(row.address);
    return sourceFacts(row, standing ? standing.sender : senderOf(row));
  };
  return {
    of(address) {
      const row = known.get(address);
      return row && factsOf(row);
    },
    async recheck() {
      const now = await findEnrichments(database.db, asked);
      const changed = now.filter(({ address, version }) => version !== (known.get(address)?.version ?? 0));
      if (changed.length > 0)
        await transact(database, (session) =>
          announceJudgement(
            session,
            orgId,
            changed.map(({ address }) => address),
          ),
        );
    },
  };
}
