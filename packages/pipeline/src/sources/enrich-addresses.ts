import { findEnrichments, findVolumes, saveFacts, transact, type Database, type Enrichment } from '@dmarc-ledger/db';
import type { CheckScope } from '@dmarc-ledger/sources';
import { learn, type Findings } from './learn.ts';
import type { Outside } from './outside.ts';

export interface EnrichNeeds {
  database: Database;
  outside: Outside;
}

/**
 * Looks up what is due about addresses, each for itself and all side by side, and keeps what was found. What has been
 * done by an earlier run is not asked again.
 */
export async function enrichAddresses(
  { database, outside }: EnrichNeeds,
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
      const findings = await lookUp(outside, row, new Date());
      return learn(row, findings, { now: new Date(), volume, chance: Math.random() });
    }),
  );
  await transact(database, (session) => saveFacts(session, found));
}

/** Asks what is due. */
export async function lookUp(outside: Outside, row: Enrichment, now: Date): Promise<Findings> {
  const { address, ptr_due_at, lists_due_at, abuse_due_at } = row;
  const scope: CheckScope = row.list_scope === null ? 'ingest' : 'full';
  const [place, reverse, results, reputation] = await Promise.all([
    outside.place(address),
    ptr_due_at <= now ? outside.reverse(address) : undefined,
    lists_due_at <= now ? outside.lists(address, scope) : undefined,
    abuse_due_at <= now ? outside.reputation(address) : undefined,
  ]);
  return { place, reverse, reputation, lists: results && { scope, results } };
}
