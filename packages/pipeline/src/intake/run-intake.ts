import { once } from 'node:events';
import { untilAborted } from '@dmarc-ledger/vocabulary';
import { Pause } from '../pause.ts';
import { LongLane } from './long-lane.ts';
import type { IntakeNeeds } from './intake-needs.ts';
import { takeIn, tendIntake } from './take-in.ts';

const SHORTEST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 300;
const TEND_EVERY_MS = 1_000;

/** While one load is being stored, the next is read. Long deliveries are stored beside them. */
const SIDE_BY_SIDE = 2;

export interface RunningIntakeNeeds extends IntakeNeeds {
  /** False while there is no space for more rows; received deliveries then wait and none is lost. */
  hasSpace?: () => Promise<boolean>;
}

/**
 * Stores waiting deliveries, one organization after the other, until the signal ends it; then finishes what has begun.
 */
export async function runIntake(needs: RunningIntakeNeeds, signal: AbortSignal): Promise<void> {
  const lane = new LongLane((error) => needs.onFault('A long delivery could not be taken in.', error));
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  const closing = stopped.then(() => lane.close());
  await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, () => takeTurns({ ...needs, lane, stopping: signal }, signal)),
  );
  await closing;
}

async function takeTurns(needs: RunningIntakeNeeds, signal: AbortSignal): Promise<void> {
  const { hasSpace = () => Promise.resolve(true) } = needs;
  let after: string | null = null;
  let tendedAt = -Infinity;
  const pause = new Pause(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS);
  await untilAborted(signal, async () => {
    try {
      if (performance.now() - tendedAt >= TEND_EVERY_MS) {
        await tendIntake(needs);
        tendedAt = performance.now();
      }
      after = (await hasSpace()) ? await takeIn(needs, after) : null;
      if (after !== null) {
        pause.foundWork();
        return 0;
      }
    } catch (error) {
      needs.onFault('Taking in failed; trying again.', error);
    }
    return pause.next();
  });
}
