import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../checks/workspaces.ts';

/**
 * Makes of a folder what `npm install` of the package makes of it: the package, and beside it what it depends on, here
 * linked from this checkout. What an earlier run made there is removed. Returns the path of the command.
 */
export async function installPackage(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'dmarc-ledger');
  await promisify(execFile)(process.execPath, [join(root, 'scripts/package.ts'), installed]);
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const [here, there] = [join(root, 'node_modules', name), join(modules, name)];
    if (!existsSync(here)) continue; // for another system
    await mkdir(dirname(there), { recursive: true });
    await symlink(here, there);
  }
  await mkdir(join(modules, '.bin'));
  await symlink(join(root, 'node_modules/.bin/node'), join(modules, '.bin/node'));
  return join(installed, 'bin/dmarc-ledger.js');
}
