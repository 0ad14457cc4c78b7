import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { testedProgram } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) endGroup(child);
});
afterAll(() => folder[Symbol.dispose]());

/**
 * PATH as a user has it, without the Node.js 24 of the checkout: where the system's is older, it starts the newer one.
 */
const usersPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.includes(`node_modules${sep}.bin`))
  .join(delimiter);

/** Starts an instance by a command line, as the leader of a process group, and waits until it is ready. */
async function started(command: string, args: string[]): Promise<ChildProcess> {
  const ports = { PORT: '0', INGEST_PORT: '0', ADMIN_PORT: '0' };
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: usersPath, HOME: process.env['HOME'] ?? '/', DATA_DIR: dataDir, ...ports },
    detached: true,
    stdio: 'pipe',
  });
  running.push(child);
  let output = '';
  const hear = (piece: Buffer) => void (output += piece.toString());
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  await vi.waitFor(() => expect(output).toContain('Stop with Ctrl-C'), { timeout: 60_000 });
  return child;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // nothing of it is left
  }
}

async function codeOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'close');
  return code;
}

/** The instance has ended in order: its claim on the folder and its database are gone. */
function nothingIsLeft(): boolean {
  return !existsSync(join(dataDir, 'start.pid')) && !existsSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'));
}

const toItself = (child: ChildProcess, signal: NodeJS.Signals) => process.kill(child.pid!, signal);
const toItsGroup = (child: ChildProcess, signal: NodeJS.Signals) => process.kill(-child.pid!, signal);

const instance = ['node', testedProgram, 'start', '--no-samples'];

it.each([
  ['SIGTERM to the process', instance, toItself, 'SIGTERM'],
  ['SIGINT to the process', instance, toItself, 'SIGINT'],
  ['SIGHUP to the process, whose terminal is gone', instance, toItself, 'SIGHUP'],
  ['SIGTERM to the process group, as systemd and CI runners send it', instance, toItsGroup, 'SIGTERM'],
  ['SIGINT to the process group', instance, toItsGroup, 'SIGINT'],
  ['SIGHUP to the process group', instance, toItsGroup, 'SIGHUP'],
  ['a `timeout` that gets a signal', ['timeout', '600', ...instance], toItself, 'SIGTERM'],
] as const)('ends in order and with 0 on %s', async (_, [command, ...args], send, signal) => {
  const child = await started(command, args);
  send(child, signal);
  expect(await codeOf(child)).toBe(0);
  expect(nothingIsLeft()).toBe(true);
});

it.each([
  ['npm', toItself],
  ['the process group of npm', toItsGroup],
] as const)('leaves nothing running after SIGTERM to %s', async (_, send) => {
  const child = await started('npm', ['start', '--', '--no-samples']);
  send(child, 'SIGTERM');
  await vi.waitFor(() => expect(nothingIsLeft()).toBe(true), { timeout: 20_000 });
});

it('ends in order and with 0 on Ctrl-C on a terminal', async () => {
  const child = await started('script', [
    '-qefc',
    `exec ${instance.map((word) => `'${word}'`).join(' ')}`,
    '/dev/null',
  ]);
  child.stdin!.write('\x03');
  expect(await codeOf(child)).toBe(0);
  expect(nothingIsLeft()).toBe(true);
});
