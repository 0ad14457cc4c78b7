import { runCommand } from './run-command.ts';

// A reader such as `head` closes the pipe when it has read enough: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await runCommand(process.argv.slice(2));
