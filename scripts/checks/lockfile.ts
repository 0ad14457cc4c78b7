import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest, root, type Manifest, type Workspace } from './workspaces.ts';

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Optional packages that no registry has in full, and that `npm ci` passes over. */
const DISPENSABLE = /^@msgpackr-extract\//;
/** Builds of a checking tool for other platforms, which not every registry has: an entry without a checksum. */
const UNCHECKED = /\/@oxc-parser\/binding-/;

interface Locked {
  link?: boolean;
  resolved?: string;
  integrity?: string;
  optionalDependencies?: Record<string, string>;
}

/**
 * What would make `npm ci` fail, or fetch something else, elsewhere: a download address (the registry is the
 * reader's to choose), a package without a checksum, a platform's package that is missing, a version that is not exact.
 */
export function findLockFaults(workspaces: Workspace[]): string[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  const manifests = [readManifest('package.json'), ...workspaces.map(({ manifest }) => manifest)];
  return [
    ...Object.entries(packages).flatMap(([path, locked]) => lockedFaults(path, locked, packages)),
    ...manifests.flatMap((manifest) => pinFaults(manifest, workspaces)),
  ];
}

function lockedFaults(path: string, locked: Locked, packages: Record<string, Locked>): string[] {
  const isInstalled = path.includes('node_modules/') && !locked.link;
  const wanted = Object.keys(locked.optionalDependencies ?? {}).filter((name) => !DISPENSABLE.test(name));
  const missing = wanted.filter((name) => !hasEntry(path, name, packages));
  return [
    ...(isInstalled && locked.resolved ? [`package-lock.json: ${path} has a download address`] : []),
    ...(isInstalled && !locked.integrity && !UNCHECKED.test(path)
      ? [`package-lock.json: ${path} has no checksum`]
      : []),
    ...missing.map((name) => `package-lock.json: ${path || 'the root'} wants ${name}, which has no entry`),
  ];
}

/** Looked for as Node.js does: beside the package, then further and further up. */
function hasEntry(path: string, name: string, packages: Record<string, Locked>): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if ([at, 'node_modules', name].filter(Boolean).join('/') in packages) return true;
    if (at === '') return false;
  }
}

function pinFaults(
  { name, dependencies, devDependencies, optionalDependencies }: Manifest,
  workspaces: Workspace[],
): string[] {
  const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const ours = new Set(workspaces.map((workspace) => workspace.name));
  return wanted
    .filter(([wants, version]) => (ours.has(wants) ? version !== '*' : !EXACT.test(version)))
    .map(
      ([wants, version]) => `${name} wants ${wants} ${version}: say ${ours.has(wants) ? '"*"' : 'an exact version'}`,
    );
}
