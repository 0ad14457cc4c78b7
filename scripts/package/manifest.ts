import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../checks/workspaces.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  type: string;
  engines: object;
  bin: object;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * The `package.json` of the package. All code is in its bundle; what it depends on are data about addresses, and the
 * programs for a system: PostgreSQL and Node.js. None of these has dependencies of its own, so pinning them pins all.
 */
export async function packageManifest(): Promise<Manifest> {
  const [whole, lookups] = await Promise.all([manifestOf('.'), manifestOf('packages/lookups')]);
  const { name, version, description, license, type, engines, bin } = whole;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    dependencies: dataOf(lookups.dependencies),
    optionalDependencies: { ...dataOf(lookups.optionalDependencies), ...whole.optionalDependencies },
  };
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
}

function dataOf(dependencies: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => name.startsWith('@ip-location-db/')));
}
