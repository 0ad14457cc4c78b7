import { setTimeout as sleep } from 'node:timers/promises';
import { relayOutbox, type Database } from '@dmarc-ledger/db';
import type { JobEntry, Queues } from '@dmarc-ledger/queues';

const BATCH = 200;
const POLL_MS = 500;

export interface RelayNeeds {
  database: Database;
  queues: Pick<Queues, 'addAll'>;
  onFault: (message: string, error: unknown) => void;
}

/** Hands announced work to the queue, until the signal ends it. While the queue is away the work waits in its table. */
export async function runRelay({ database, queues, onFault }: RelayNeeds, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      // An entry is checked against its job's shape by addAll; one that is wrong is refused there, by its name.
      if (await relayOutbox(database, BATCH, (entries) => queues.addAll(entries as JobEntry[])) === BATCH) continue;
    } catch (error) {
      onFault('Announced work could not be handed to the queue; it waits.', error);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
