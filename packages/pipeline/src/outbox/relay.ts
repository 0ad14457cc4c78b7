import { relayOutbox } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { JobEntry, Queues } from '@dmarc-ledger/queues';
import { failPoint, isFinal, untilAborted } from '@dmarc-ledger/vocabulary';
import { Pause } from '../pause.ts';
import { mergeWork } from './merge-work.ts';

const BATCH = 200;
/** Jobs announced within this time go to the queue together: those of one kind and organization become one. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 500;

export interface RelayNeeds {
  database: Database;
  queues: Pick<Queues, 'addAll'>;
  onFault: (message: string, error: unknown) => void;
}

/**
 * Hands announced jobs to the queue until the signal ends it. While the queue is down, the jobs wait in their table.
 */
export async function runRelay({ database, queues, onFault }: RelayNeeds, signal: AbortSignal): Promise<void> {
  const pause = new Pause(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS);
  await untilAborted(signal, async () => {
    try {
      const relayed = await relayOutbox(database, BATCH, (entries) => dispatch(entries, { queues, onFault }));
      if (relayed > 0) pause.foundWork();
      if (relayed === BATCH) return 0;
    } catch (error) {
      onFault('Announced work could not be added to the queue; it waits in the outbox.', error);
    }
    return pause.next();
  });
}

/** Adds all jobs at once; when one of them is invalid, each by itself, and the invalid one is reported and dropped. */
async function dispatch(
  announced: JobEntry[],
  { queues, onFault }: Pick<RelayNeeds, 'queues' | 'onFault'>,
): Promise<void> {
  await failPoint('F9');
  const entries = mergeWork(announced);
  try {
    await queues.addAll(entries);
  } catch (error) {
    if (!isFinal(error)) throw error;
    for (const entry of entries) {
      await queues.addAll([entry]).catch((fault: unknown) => {
        if (!isFinal(fault)) throw fault;
        onFault(`Announced work "${entry.job}" is of no known job; it is dropped.`, fault);
      });
    }
  }
  await failPoint('F10');
}
