import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../../services/cli/src/run-command.ts';

/** A test's request to the host: the words of a command, and its whole environment. */
export interface Order {
  words: string[];
  env: { [name: string]: string };
  /** Written to both outputs behind what the command wrote. */
  end: string;
}

// Runs one command after another in one process, which loads the code once. A test program: `command.ts` starts it.
let turn = Promise.resolve();
process.on('message', (order: Order) => {
  turn = turn.then(() => run(order));
});
process.on('disconnect', () => process.exit());

async function run({ words, env, end }: Order): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const before = open();
  await runCommand(words);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.removeAllListeners(signal);
  await ended(before);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  process.stdout.write(end);
  process.stderr.write(end);
  process.send!(code);
}

/** A process ends when nothing keeps it alive: so does a command here, and one that leaves something open hangs. */
async function ended(before: Map<string, number>): Promise<void> {
  while ([...open()].some(([kind, count]) => count > (before.get(kind) ?? 0))) await sleep(2);
}

/** What keeps this process alive, counted by kind. */
function open(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
