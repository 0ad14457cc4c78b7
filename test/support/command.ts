import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const program = join(import.meta.dirname, '..', '..', 'bin', 'dmarc-ledger.js');

/** How a command ended, and what it said. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Compiled once for the whole run: tests start the command many times. */
const NODE_COMPILE_CACHE = join(tmpdir(), 'dmarc-ledger-test-compiled');

/** The command as a user starts it, with nothing of our own environment but these variables. */
export function startCommand(args: string[], env: { [name: string]: string }, detached = false): ChildProcess {
  const { PATH = '', HOME = '/' } = process.env;
  return spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: 'pipe',
    detached,
  });
}

/** Runs the command to its end. */
export async function runCommand(args: string[], env: { [name: string]: string }, input?: Buffer): Promise<Ran> {
  const child = startCommand(args, env);
  child.stdin!.on('error', () => {}); // it may end before it has read all
  child.stdin!.end(input);
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout!), text(child.stderr!)]);
  return { code: code as number | null, stdout, stderr };
}
