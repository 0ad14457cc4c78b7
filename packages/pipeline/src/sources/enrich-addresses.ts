import { type Enrichment, findEnrichments } from '@dmarc-ledger/facts';
import { findKnownResults, findVolumes } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { QueueError } from '@dmarc-ledger/queues';
import { deservesFullCheck, type CheckScope, type KnownResult } from '@dmarc-ledger/sources';
import { withinSignal } from '../within-signal.ts';
import { keepFacts } from './keep-facts.ts';
import { applyFindings, type Findings } from './apply-findings.ts';
import { isRatingDue } from './next-lookup.ts';
import type { Outside } from './outside.ts';

export interface EnrichNeeds {
  database: Database;
  outside: Outside;
  /** Query all lists, also for a new address. */
  everything?: boolean;
  /** Aborts when no time is left: the findings up to then are kept, the rest is left to another run. */
  ending?: AbortSignal;
}

/**
 * Looks up what is due about addresses, in parallel, and keeps the findings. A failing lookup does not affect the
 * others. What an earlier run has looked up is not asked again.
 * @throws {QueueError} `job_interrupted` when it had to end before all were looked up.
 * @throws the error of an address, after the others are kept.
 */
export async function enrichAddresses(
  { database, outside, everything = false, ending }: EnrichNeeds,
  { addresses }: { addresses: string[] },
): Promise<void> {
  const rows = (await findEnrichments(database.db, addresses)).filter(({ planned }) => planned);
  if (rows.length === 0) return;
  const volumes = await findVolumes(
    database.db,
    rows.map(({ address }) => address),
  );
  const listed = rows.filter(({ verdict }) => verdict !== null && verdict.listed > 0);
  const results = await findKnownResults(
    database.db,
    listed.map(({ address }) => address),
  );
  const finished = await Promise.allSettled(
    rows.map(async (row) => {
      const volume = volumes.get(row.address) ?? { messages: 0, failing: 0 };
      const findings = await withinSignal(
        () =>
          lookUp(outside, row, { allLists: everything || isWorthAll(row, volume), known: results.get(row.address) }),
        undefined,
        ending,
      );
      return findings && applyFindings(row, findings, { now: new Date(), volume, chance: Math.random() });
    }),
  );
  const found = finished.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value] : []));
  const errors = finished.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  errors.push(...(await keepFacts(database, found)));
  if (errors.length > 0) throw errors[0];
  if (found.length < rows.length) {
    throw new QueueError('job_interrupted', `${rows.length - found.length} addresses are still to be looked up.`);
  }
}

/**
 * After the few lists that are queried first for an address: all lists, when its mail gives reason to; and from then on
 * always.
 */
function isWorthAll({ list_scope }: Enrichment, volume: Parameters<typeof deservesFullCheck>[0]): boolean {
  return list_scope === 'full' || (list_scope === 'ingest' && deservesFullCheck(volume));
}

/** Looks up what is due. */
async function lookUp(
  outside: Outside,
  row: Enrichment,
  { allLists, known = [] }: { allLists: boolean; known: readonly KnownResult[] | undefined },
): Promise<Findings> {
  const { address, ptr_due_at, lists_due_at } = row;
  const now = new Date();
  const scope: CheckScope = allLists ? 'full' : 'ingest';
  const [place, reverse, lists, reputation] = await Promise.all([
    outside.place(address),
    ptr_due_at <= now ? outside.reverse(address) : undefined,
    lists_due_at <= now ? outside.lists(address, scope).then((answers) => ({ scope, answers, known })) : undefined,
    isRatingDue(row, now) ? outside.reputation(address) : undefined,
  ]);
  return { place, reverse, reputation, lists };
}
