import { CodedError } from '@dmarc-ledger/vocabulary';
import { checkStorable } from './storable.ts';
import type { Target } from './targets.ts';

/** How one input went. */
export interface Tried {
  /** What went wrong, when something did. */
  fault?: unknown;
  milliseconds: number;
  /** The longest that nothing else could run. */
  loopDelay: number;
}

/** Gives a reader one input. A refusal with a code is an answer; any other error is a fault. */
export async function tryInput(target: Target, input: Buffer): Promise<Tried> {
  const began = performance.now();
  const turns = watchTurns(began);
  const fault = await faultOf(async () => checkStorable(await target.read(input)));
  const loopDelay = turns.end();
  return { ...(fault !== undefined && { fault }), milliseconds: performance.now() - began, loopDelay };
}

async function faultOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof CodedError ? undefined : (error ?? new Error('Nothing was thrown.'));
  }
}

/** Measures the turns of the event loop until the end, and returns the longest. */
function watchTurns(began: number): { end(): number } {
  let [last, longest, isOver] = [began, 0, false];
  const note = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const turn = () => {
    note();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end() {
      note();
      isOver = true;
      return longest;
    },
  };
}
