import { getSystemErrorMessage } from 'node:util';
import { runCommand } from './run-command.ts';

// A reader such as `head` closes the pipe early, which is not an error; output that a full disk cuts off is one.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  const reason = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
  process.stderr.write(`dmarc-ledger: The output cannot be written: ${reason}.\n`);
  process.exit(1);
});

await runCommand(process.argv.slice(2));
