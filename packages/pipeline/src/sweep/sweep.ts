import { reannounceStale } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { repeatEvery } from '@dmarc-ledger/vocabulary';

const EVERY_MS = 10_000;
const BATCH = 500;

export interface SweepNeeds {
  database: Database;
  /**
   * Work without progress for this long is announced again: twice the time after which a dead worker's job is retried.
   */
  staleAfterSeconds?: number;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
  /** Receives the jobs that were announced again, by name. */
  onFound?: (found: { job: string; count: number }[]) => void;
}

/**
 * Finds work that a lost job left undone and announces it again, until the signal ends it; this is why the queue's
 * store may be lost. Any number may run, and they share the work.
 */
export async function runSweep(
  { database, staleAfterSeconds = 60, everyMs = EVERY_MS, onFault, onFound }: SweepNeeds,
  signal: AbortSignal,
): Promise<void> {
  const onError = (error: unknown) => onFault('The sweep for unfinished work failed.', error);
  await repeatEvery({ everyMs, onError }, signal, async () => {
    const found = await reannounceStale(database, staleAfterSeconds, BATCH);
    if (found.length > 0) onFound?.(found);
  });
}
