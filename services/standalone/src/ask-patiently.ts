import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageFailure } from '@dmarc-ledger/schema';

/** How long a restart of the database may take. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/** Reads from the database, again while it does not answer: a wait of minutes survives its restart. */
export async function askPatiently<T>(read: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isStorageFailure(error) || performance.now() > end) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
