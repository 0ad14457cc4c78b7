import { CodedError } from '@dmarc-ledger/vocabulary';
import { CommanderError } from 'commander';
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
    process.exitCode = exitCodeOf(error);
  }
}

/** Prints one sentence for an error with a code, and the stack of any other, which is a bug. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof CodedError) {
    process.stderr.write(`dmarc-ledger: ${error.message}\n`);
    return error.code === 'env_invalid' || error.code === 'usage' ? WRONG_USAGE : FAILED;
  }
  process.stderr.write(`dmarc-ledger: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return FAILED;
}
