import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { isSameProcessAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** A file that names the process that holds it; it counts only while that process lives. */
export interface PidFile {
  release(): void;
}

/** Takes the file for this process, or returns the living process that holds it. */
export function takePidFile(path: string): PidFile | ProcessIdentity {
  for (;;) {
    if (writeNew(path)) return { release: () => rmSync(path, { force: true }) };
    const holder = readPidFile(path);
    if (holder && isSameProcessAlive(holder)) return holder;
    removeStale(path, holder);
  }
}

/** The process that a pid file names; undefined when there is no such file, or it is unreadable. */
export function readPidFile(path: string): ProcessIdentity | undefined {
  try {
    const [pid, startedAt] = readFileSync(path, 'utf8').split('\n');
    return Number(pid) > 0 ? { pid: Number(pid), startedAt: startedAt ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the file as a whole or not at all: the link appears with its content, and only one process can create it. */
function writeNew(path: string): boolean {
  const draft = `${path}.${randomUUID()}`;
  const { pid, startedAt } = ownIdentity();
  writeFileSync(draft, `${pid}\n${startedAt}\n`, { flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Moves a dead holder's file aside. When another process has taken the file meanwhile, the moved file is that of a
 * living holder, and is put back.
 */
function removeStale(path: string, holder: ProcessIdentity | undefined): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const moved = readPidFile(aside);
  if (moved?.pid !== holder?.pid || moved?.startedAt !== holder?.startedAt) linkSync(aside, path);
  rmSync(aside, { force: true });
}
