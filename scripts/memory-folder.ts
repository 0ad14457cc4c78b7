import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Linux keeps files here in memory. */
const MEMORY = '/dev/shm';
const PREFIX = 'dmarc-ledger-tests-';
/** A run of all tests has at most a quarter of this at a time. */
const NEEDED = 8 * 1024 ** 3;

/**
 * A folder in memory for the files of this process, which are gone when it is disposed; undefined where the machine has
 * none, or too little of it. Tests copy some thousand databases of a thousand files each, which costs a file system on
 * disk a third of the processor time of such a test.
 */
export function openMemoryFolder(): (Disposable & { path: string }) | undefined {
  if (!hasEnoughFree()) return undefined;
  removeLeftFolders();
  const path = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(path);
  chmodSync(path, 0o755); // servers run as other users
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function hasEnoughFree(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize >= NEEDED && mount !== undefined && !/\bnoexec\b/.test(mount);
  } catch {
    return false;
  }
}

/** Ends the servers of this user's runs that were killed, and removes their files. */
function removeLeftFolders(): void {
  for (const folder of globSync(join(MEMORY, `${PREFIX}*`))) {
    if (statSync(folder).uid !== process.getuid?.()) continue;
    if (isRunning(Number(basename(folder).slice(PREFIX.length)))) continue;
    for (const file of globSync(join(folder, '**', 'postmaster.pid'))) {
      const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
      if (isRunning(pid)) process.kill(pid, 'SIGQUIT');
    }
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      console.error(`${folder} of a run that was killed stays: ${String(error)}`); // the test of a full disk mounts one
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
