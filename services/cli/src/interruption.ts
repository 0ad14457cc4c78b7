import { once } from 'node:events';
import { onStopSignals } from '@dmarc-ledger/runtime';
import { CliError } from './errors.ts';

/**
 * Fails with that sentence when the user does not want to wait any longer, so that the command closes what it opened. All
 * that was begun is done by whoever works next.
 */
export function untilInterrupted(sentence: string): { signal: AbortSignal; interrupted: Promise<never> } {
  const ending = new AbortController();
  onStopSignals(() => ending.abort());
  const interrupted = once(ending.signal, 'abort').then(() => {
    throw new CliError('interrupted', sentence);
  });
  interrupted.catch(() => undefined); // while nobody waits it ends nothing
  return { signal: ending.signal, interrupted };
}
