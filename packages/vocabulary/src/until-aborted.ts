import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs rounds until the signal aborts or a round ends them. A round returns the milliseconds to wait before the next, 0
 * to go on at once, or null to end; the signal cuts a wait short. Rejects with what a round throws.
 */
export async function untilAborted(signal: AbortSignal, round: () => Promise<number | null>): Promise<void> {
  while (!signal.aborted) {
    const waitMs = await round();
    if (waitMs === null) return;
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

export interface Rhythm {
  /** The pause between two rounds, in milliseconds. */
  everyMs: number;
  /** Receives the error of a failed round; the next round follows nevertheless. */
  onError: (error: unknown) => void;
}

/** Runs rounds at a steady interval until the signal aborts. */
export async function repeatEvery(
  { everyMs, onError }: Rhythm,
  signal: AbortSignal,
  round: () => Promise<unknown>,
): Promise<void> {
  await untilAborted(signal, async () => {
    await round().catch(onError);
    return everyMs;
  });
}
