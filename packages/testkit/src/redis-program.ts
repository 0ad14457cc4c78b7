import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NAMES = ['redis-server', 'valkey-server'];
const POLICY = '/usr/sbin/policy-rc.d';

/** The redis-server of this machine; on Debian, root installs it when it is missing. Else a sentence that says why not. */
export async function findRedisProgram(): Promise<{ program?: string; missing?: string }> {
  const found = onPath();
  if (found) return { program: found };
  const missing =
    'These tests need a redis-server on the PATH: install it (Debian, Ubuntu: apt-get install redis-server)';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return { missing: `${missing}.` };
  try {
    await install();
  } catch (error) {
    return { missing: `${missing}; doing so failed: ${(error as Error).message.trim().split('\n').at(-1)}` };
  }
  return { program: onPath() };
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package would start a service on the usual port: a policy forbids it for as long as the installation takes. */
async function install(): Promise<void> {
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const wait = ['-o', 'DPkg::Lock::Timeout=120'];
    await run('apt-get', [...wait, 'update'], { env });
    await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'redis-server'], { env });
  } finally {
    if (!hasPolicy) rmSync(POLICY, { force: true });
  }
}
