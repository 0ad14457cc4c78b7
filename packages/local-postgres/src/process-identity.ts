import { readFileSync } from 'node:fs';
import { errorCode } from '@dmarc-ledger/vocabulary';

/** One running process: its pid, and what distinguishes it from a later process with the same pid. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedAt: startMark(process.pid) ?? '' };
}

/** False once the process has ended, even when its pid has been given to another since. */
export function isSameProcessAlive({ pid, startedAt }: ProcessIdentity): boolean {
  if (!isAlive(pid)) return false;
  const mark = startMark(pid);
  return mark === undefined || startedAt === '' || mark === startedAt;
}

/** True while a process of this pid runs; one that has ended and waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  return !['Z', 'X'].includes(statFields(pid)?.[0] ?? '');
}

/** The command line of a process, its arguments separated by NUL; undefined where the system does not show it. */
export function commandLine(pid: number): string | undefined {
  return readProc(`${pid}/cmdline`);
}

/** When a process began, in the system's own unit: boot and clock ticks since. */
function startMark(pid: number): string | undefined {
  const ticks = statFields(pid)?.[19];
  return ticks && `${readProc('sys/kernel/random/boot_id')?.trim() ?? ''}:${ticks}`;
}

/** The fields of `/proc/<pid>/stat` from the state on; the name before them may itself hold blanks and brackets. */
function statFields(pid: number): string[] | undefined {
  const stat = readProc(`${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProc(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
