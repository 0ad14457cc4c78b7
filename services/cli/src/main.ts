import { CodedError } from '@dmarc-ledger/vocabulary';
import { CommanderError } from 'commander';
import { makeProgram } from './program.ts';

/** Done, failed, wrong usage, partly done. */
const FAILED = 1;
const WRONG_USAGE = 2;

// Whoever reads our output may have seen enough, as `head` has: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  const program = await makeProgram(process.argv[2]);
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** A user's mistake gets a sentence, a fault of ours its stack. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (error instanceof CodedError) {
    process.stderr.write(`dmarc-ledger: ${error.message}\n`);
    return error.code === 'env_invalid' || error.code === 'usage' ? WRONG_USAGE : FAILED;
  }
  process.stderr.write(`dmarc-ledger: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return FAILED;
}
