import type { Database } from '@dmarc-ledger/schema';
import { untilAborted } from '@dmarc-ledger/vocabulary';

const EVERY_MS = 1_000;

export interface Planning {
  database: Database;
  everyMs?: number | undefined;
  onFault: (message: string, error: unknown) => void;
}

/** Plans what is due, and again at once while there is more, until the signal ends it. */
export async function planAgain(
  what: string,
  { everyMs = EVERY_MS, onFault }: Planning,
  signal: AbortSignal,
  plan: () => Promise<number>,
): Promise<void> {
  await untilAborted(signal, async () => {
    try {
      return (await plan()) > 0 ? 0 : everyMs;
    } catch (error) {
      onFault(`${what} could not be planned.`, error);
      return everyMs;
    }
  });
}
