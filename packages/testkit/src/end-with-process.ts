import type { ChildProcess } from 'node:child_process';

const endings = new Set<() => void>();
process.once('exit', () => {
  for (const end of endings) end();
});

/** Runs this at the latest when the process ends, unless the function that it returns is called before. */
export function atExit(end: () => void): () => void {
  endings.add(end);
  return () => void endings.delete(end);
}

/** Kills a server of a test when the process of the test ends, if the server has not ended before. */
export function endWithProcess(child: ChildProcess, kill: () => void = () => void child.kill('SIGKILL')): void {
  child.once('exit', atExit(kill));
}
