import { CodedError } from '@dmarc-ledger/vocabulary';
import { CommanderError } from 'commander';
import { errorText } from './error-text.ts';
import { makeProgram } from './program.ts';

/** Exit codes besides 0: failed, wrong usage, partly done. */
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs the command with these arguments (`['org', 'list']`) to its end, and sets `process.exitCode`. */
export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    const program = await makeProgram(words[0]);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
  }
}

/** Prints one sentence for an error with a code or of the system, and the stack of any other, which is a bug. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof CodedError) {
    process.stderr.write(`dmarc-ledger: ${errorText(error.message)}\n`);
    return error.code === 'env_invalid' || error.code === 'usage' ? WRONG_USAGE : FAILED;
  }
  const { isSystemError, systemReason } = await import('@dmarc-ledger/standalone-service/installation');
  if (isSystemError(error)) {
    process.stderr.write(`dmarc-ledger: An operation of the system failed: ${errorText(systemReason(error))}\n`);
    return FAILED;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`dmarc-ledger: ${errorText(trace)}\n`);
  return FAILED;
}
