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
    await installTogether(debianPackage);
  } catch (error) {
    return { missing: `${missing}; doing so failed: ${errorMessage(error).trim().split('\n').at(-1)}` };
  }
  return { program: onPath(names) };
}

/** What is still to be installed, and the installation that will begin with it. */
let next: { packages: Set<string>; installed: Promise<void> } | undefined;
/** One installation after the other: all of them share the policy file. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Installs a package with all others that are asked for at the same time, as each run of apt takes seconds. A set that
 * cannot be installed as a whole is installed package by package.
 */
async function installTogether(debianPackage: string): Promise<void> {
  if (!next) {
    const packages = new Set<string>();
    const installed = last
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return install([...packages]);
      });
    next = { packages, installed };
    last = installed;
  }
  const { packages, installed } = next;
  packages.add(debianPackage);
  try {
    await installed;
  } catch (error) {
    if (packages.size === 1) throw error;
    await (last = last.catch(() => undefined).then(() => install([debianPackage])));
  }
}

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

/** The packages would start services on the usual ports: a policy forbids it during the installation. */
async function install(packages: readonly string[]): Promise<void> {
  const hasPolicy = existsSync(POLICY);
  if (!hasPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const wait = ['-o', 'DPkg::Lock::Timeout=120'];
    await run('apt-get', [...wait, 'update'], { env });
    await run('apt-get', [...wait, 'install', '-y', '--no-install-recommends', ...packages], { env });
  } finally {
    if (!hasPolicy) rmSync(POLICY, { force: true });
  }
}
