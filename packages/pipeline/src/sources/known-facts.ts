import { findEnrichments, findStandings, senderOf, sourceFacts } from '@dmarc-ledger/facts';
import { announceRejudgement } from '@dmarc-ledger/ledger';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import type { SourceFacts } from '@dmarc-ledger/dmarc';

/** The facts about addresses, by which an organization's mail from them is judged now. */
export interface KnownFacts {
  of(address: string): SourceFacts | undefined;
  /** Has mail judged again that would now be judged differently: called when what was judged is committed. */
  recheck(): Promise<void>;
}

/** The sender follows from the organization's own mail as far as that was judged, otherwise from the address alone. */
export async function knownFacts(
  database: Database,
  orgId: string,
  addresses: ReadonlySet<string>,
): Promise<KnownFacts> {
  const asked = [...addresses];
  const known = await findFacts(database.db, orgId, asked);
  return {
    of: (address) => known.get(address),
    async recheck() {
      const now = await findFacts(database.db, orgId, asked);
      const changed = asked.filter(
        (address) => JSON.stringify(now.get(address)) !== JSON.stringify(known.get(address)),
      );
      if (changed.length > 0) await transact(database, (session) => announceRejudgement(session, orgId, changed));
    },
  };
}

/**
 * The facts that an organization's mail from these addresses is judged by now; none for addresses that wait to be
 * looked up. An address that never is has the service that its mail shows.
 */
export async function findFacts(db: Db, orgId: string, addresses: string[]): Promise<Map<string, SourceFacts>> {
  const rows = (await findEnrichments(db, addresses)).filter(
    ({ version, address }) => version > 0 || !isPublicAddress(address),
  );
  if (rows.length === 0) return new Map();
  const standings = await findStandings(
    db,
    orgId,
    rows.map(({ address }) => address),
  );
  return new Map(
    rows.map((row) => {
      const source = standings.get(row.address);
      return [row.address, sourceFacts(row, source ? source.sender : senderOf(row))];
    }),
  );
}
