import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, present } from '@dmarc-ledger/vocabulary';
import { commandLine, isAlive } from './process-identity.ts';

const POLL_MS = 20;
const INTERRUPT_AFTER_MS = 2_000;
const QUIT_AFTER_MS = 30_000;

/** A running server, as its own pid file describes it. */
export interface Postmaster {
  pid: number;
  port: number;
  /** `starting`, `stopping`, `ready` or `standby`; empty before the server has written any. */
  state: string;
}

/**
 * The server that runs on this cluster, if any. A pid file that names a process which is no server of this cluster was
 * left by a crash, and its pid belongs to another process now: it is removed, or the next server would not start.
 */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const postmaster = readPostmaster(cluster);
  if (!postmaster || !isAlive(postmaster.pid)) return undefined;
  if (isServerOf(cluster, postmaster.pid)) return postmaster;
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return undefined;
}

/** Ends a server: first smoothly, then without its clients, at last immediately. Returns when the process is gone. */
export async function stopPostmaster(pid: number): Promise<void> {
  const steps: { at: number; signal: NodeJS.Signals }[] = [
    { at: 0, signal: 'SIGTERM' },
    { at: INTERRUPT_AFTER_MS, signal: 'SIGINT' },
    { at: QUIT_AFTER_MS, signal: 'SIGQUIT' },
  ];
  for (let waited = 0; isAlive(pid); waited += POLL_MS) {
    if (waited >= (steps[0]?.at ?? Infinity)) signal(pid, present(steps.shift()).signal);
    await sleep(POLL_MS);
  }
}

/** Lines of `postmaster.pid`: pid, data folder, start time, port, socket folder, address, shared memory, state. */
function readPostmaster(cluster: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return pid > 0 ? { pid, port, state: lines[7]?.trim() ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Where the system does not show command lines, the pid file is believed. */
function isServerOf(cluster: string, pid: number): boolean {
  const line = commandLine(pid);
  if (line === undefined) return true;
  return line.includes('postgres') && [cluster, realpathSync(cluster)].some((path) => line.split('\0').includes(path));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error; // ended in the meantime
  }
}
