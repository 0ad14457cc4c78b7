import { findEnrichments, findVolumes, saveFacts, transact, type Database, type Enrichment } from '@dmarc-ledger/db';
import { deservesFullCheck, type CheckScope } from '@dmarc-ledger/sources';
import { learn, type Findings } from './learn.ts';
import type { Outside } from './outside.ts';

export interface EnrichNeeds {
  database: Database;
  outside: Outside;
  /** Ask all lists, also about an address that is new. */
  everything?: boolean;
}

/**
 * Looks up what is due about addresses, each for itself and all side by side, and keeps what was found. What has been
 * done by an earlier run is not asked again.
 */
export async function enrichAddresses(
  { database, outside, everything = false }: EnrichNeeds,
  { addresses }: { addresses: string[] },
): Promise<void> {
  const rows = (await findEnrichments(database.db, addresses)).filter(({ planned }) => planned);
  if (rows.length === 0) return;
  const volumes = await findVolumes(
    database.db,
    rows.map(({ address }) => address),
  );
  const found = await Promise.all(
    rows.map(async (row) => {
      const volume = volumes.get(row.address) ?? { messages: 0, failing: 0 };
      const findings = await lookUp(outside, row, everything || isWorthAll(row, volume));
      return learn(row, findings, { now: new Date(), volume, chance: Math.random() });
    }),
  );
  await transact(database, (session) => saveFacts(session, found));
}

/** After the few lists that an address is first asked of: all, where its mail gives reason; and then always. */
function isWorthAll({ list_scope }: Enrichment, volume: Parameters<typeof deservesFullCheck>[0]): boolean {
  return list_scope === 'full' || (list_scope === 'ingest' && deservesFullCheck(volume));
}

/** Asks what is due. */
async function lookUp(outside: Outside, row: Enrichment, allLists: boolean): Promise<Findings> {
  const { address, ptr_due_at, lists_due_at, abuse_due_at } = row;
  const now = new Date();
  const scope: CheckScope = allLists ? 'full' : 'ingest';
  const [place, reverse, lists, reputation] = await Promise.all([
    outside.place(address),
    ptr_due_at <= now ? outside.reverse(address) : undefined,
    lists_due_at <= now ? outside.lists(address, scope).then((results) => ({ scope, results })) : undefined,
    abuse_due_at <= now ? outside.reputation(address) : undefined,
  ]);
  return { place, reverse, reputation, lists };
}
