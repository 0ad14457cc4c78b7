import { errorMessage } from '@dmarc-ledger/vocabulary';
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLICY = '/usr/sbin/policy-rc.d';
/** The folders of servers that are not on the PATH of a plain user. */
const ALSO = ['/usr/sbin', '/usr/local/sbin'];

/** A program of this machine, or why there is none, as a sentence. */
export interface FoundProgram {
  program?: string;
  missing?: string;
}

/** The first of these programs that exists; on Debian, root installs its package when none does. */
export async function findProgram(names: readonly string[], debianPackage: string): Promise<FoundProgram> {
  const found = onPath(names);
  if (found) return { program: found };
  const missing = `These tests need ${names[0]} on the PATH: install it (Debian, Ubuntu: apt-get install ${debianPackage})`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return { missing: `${missing}.` };
  try {
    await (installing = installing.catch(() => undefined).then(() => install(debianPackage)));
  } catch (error) {
    return { missing: `${missing}; doing so failed: ${errorMessage(error).trim().split('\n').at(-1)}` };
  }
  return { program: onPath(names) };
}

/** One package after the other: all installations share the policy file. */
let installing: Promise<unknown> = Promise.resolve();

function onPath(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...ALSO].filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package would start a service on the usual port: a policy forbids it during the installation. */
async function install(debianPackage: string): Promise<void> {
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const wait = ['-o', 'DPkg::Lock::Timeout=120'];
    await run('apt-get', [...wait, 'update'], { env });
    await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', debianPackage], { env });
  } finally {
    if (!hasPolicy) rmSync(POLICY, { force: true });
  }
}
