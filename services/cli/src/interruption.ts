import { once } from 'node:events';
import { onStopSignals } from '@dmarc-ledger/runtime';
import { CliError } from './errors.ts';

/**
 * Rejects with this sentence when the user interrupts, so that the command closes what it opened. The services, or the
 * next command, finish work that has begun.
 */
export function untilInterrupted(sentence: string): { signal: AbortSignal; interrupted: Promise<never> } {
  const ending = new AbortController();
  onStopSignals(() => ending.abort());
  const interrupted = once(ending.signal, 'abort').then(() => {
    throw new CliError('interrupted', sentence);
  });
  interrupted.catch(() => undefined); // an interruption before the first await must not end the process
  return { signal: ending.signal, interrupted };
}
