import { setTimeout as sleep } from 'node:timers/promises';
import { oneAtATime } from './one-at-a-time.ts';
import { takeIn, tendIntake, type IntakeNeeds } from './take-in.ts';

const POLL_MS = 300;
const TEND_EVERY_MS = 1_000;

/** While one load is being stored, another is read. */
const SIDE_BY_SIDE = 2;

/** Takes in what waits, organization after organization, until the signal ends it; then finishes what is in hand. */
export async function runIntake(needs: IntakeNeeds, signal: AbortSignal): Promise<void> {
  const inTurn = oneAtATime();
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => takeTurns({ ...needs, inTurn }, signal)));
}

async function takeTurns(needs: IntakeNeeds, signal: AbortSignal): Promise<void> {
  let after: string | null = null;
  let tendedAt = 0;
  while (!signal.aborted) {
    try {
      if (Date.now() - tendedAt >= TEND_EVERY_MS) {
        await tendIntake(needs);
        tendedAt = Date.now();
      }
      after = await takeIn(needs, after);
      if (after !== null) continue;
    } catch (error) {
      needs.onFault('Taking in failed; trying again.', error);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
