import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DovecotPlace } from './dovecot-config.ts';
import { endWithProcess } from './end-with-process.ts';

const POLL_MS = 20;

/** Starts the program on the settings in its folder and returns when it answers. */
export async function startDovecot(program: string, { folder, port, user }: DovecotPlace): Promise<ChildProcess> {
  const identity = process.getuid?.() === 0 ? { uid: user.uid, gid: user.gid } : {};
  const options = { stdio: 'ignore', detached: true, cwd: folder, ...identity } as const;
  const child = spawn(program, ['-F', '-c', `${folder}/dovecot.conf`], options);
  endWithProcess(child, () => signal(child, 'SIGKILL'));
  while (!hasEnded(child) && !(await greets(port))) await sleep(POLL_MS);
  if (hasEnded(child))
    throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}:\n${logOf(folder)}`);
  return child;
}

/** Asks it and its sessions to end; a session that outlives it is killed. */
export async function endDovecot(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  signal(child, 'SIGTERM');
  await ended;
  signal(child, 'SIGKILL');
}

/** Kills it and its sessions. */
export async function killDovecot(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  signal(child, 'SIGKILL');
  await ended;
}

/** To the whole process group: a session does not notice at once that the master is gone. */
function signal({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid!, name);
  } catch {
    // the group has ended
  }
}

export function logOf(folder: string): string {
  try {
    return readFileSync(`${folder}/dovecot.log`, 'utf8');
  } catch {
    return '';
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    const [greeting]: Buffer[] = await once(socket, 'data');
    return String(greeting).startsWith('* OK');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
