import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dmarc-ledger/schema';

const EVERY_MS = 1_000;

export interface Planning {
  database: Database;
  everyMs?: number | undefined;
  onFault: (message: string, error: unknown) => void;
}

/** Plans what is due, again at once while there is more, until the signal ends it. */
export async function planAgain(
  what: string,
  { everyMs = EVERY_MS, onFault }: Planning,
  signal: AbortSignal,
  plan: () => Promise<number>,
): Promise<void> {
  while (!signal.aborted) {
    let planned = 0;
    try {
      planned = await plan();
    } catch (error) {
      onFault(`${what} could not be planned.`, error);
    }
    if (planned === 0) await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
