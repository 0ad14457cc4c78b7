import { join } from 'node:path';
import { entryOf, readManifest, type SourceFile, type Workspace } from './workspaces.ts';

const SCOPE = '@dmarc-ledger/';
const SERVICES = 8;
/** Imports go down. Between the lowest layer and the services, packages of one layer do not import each other. */
const LAYERS: Record<string, number> = {
  vocabulary: 1,
  inlets: 1,
  dmarc: 2,
  unpack: 2,
  blobs: 2,
  secrets: 2,
  lookups: 2,
  'dns-records': 2,
  enforcement: 2,
  digest: 2,
  imports: 2,
  mcp: 2,
  scoring: 2,
  sources: 2,
  limits: 2,
  'local-postgres': 2,
  runtime: 2,
  samples: 2,
  rua: 3,
  tlsrpt: 3,
  aprf: 3,
  ruf: 3,
  schema: 3,
  facts: 4,
  queues: 4,
  ledger: 5,
  queries: 5,
  pipeline: 6,
  api: 6,
  web: 7,
  testkit: 8,
};
/** The API reads and the pipeline writes: they share the tables, and the stored facts that both start from. */
const FORBIDDEN: readonly { from: string; to: string; except?: string }[] = [
  { from: 'api', to: 'ledger', except: 'for-api' },
  { from: 'pipeline', to: 'queries' },
  { from: 'pipeline', to: 'ledger/for-api' },
  { from: 'pipeline', to: 'ledger/for-web' },
  { from: 'web', to: 'ledger', except: 'for-web' },
  { from: 'web', to: 'api', except: 'answers' },
];

/** Every import across a boundary, in a sentence each. */
export function findBreaches(workspaces: Workspace[]): string[] {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const breaches = workspaces.flatMap((from) => [
    ...unplacedPackage(from),
    ...from.sources.flatMap((file) => file.imports.flatMap((to) => breach(from, file, to, byName))),
    ...from.tests.flatMap((file) => file.imports.flatMap((to) => relativeBreach(from, file, to))),
  ]);
  return breaches.map((sentence) => sentence.replaceAll(SCOPE, ''));
}

function unplacedPackage({ folder }: Workspace): string[] {
  return folder.startsWith('packages/') && !(nameOf(folder) in LAYERS)
    ? [`${folder} has no layer in scripts/checks/boundaries.ts`]
    : [];
}

function breach(from: Workspace, file: SourceFile, to: string, byName: Map<string, Workspace>): string[] {
  if (to.startsWith('.')) return [...relativeBreach(from, file, to), ...ownIndexBreach(from, file, to)];
  if (to.startsWith('node:')) return [];
  return to.startsWith(SCOPE) ? packageBreach(from, file, to, byName) : libraryBreach(from, file, to);
}

function relativeBreach({ folder }: Workspace, { path }: SourceFile, to: string): string[] {
  if (!to.startsWith('.')) return [];
  const target = join(path, '..', to);
  return target.startsWith(`${folder}/`) || !/^(packages|services)\//.test(target)
    ? []
    : [`${path} reaches into ${target}: import the package by its name`];
}

function ownIndexBreach({ folder, manifest }: Workspace, { path }: SourceFile, to: string): string[] {
  const entry = join(folder, entryOf(manifest, '.') ?? 'src/index.ts');
  const isOwnIndex = entry.endsWith('/index.ts') && join(path, '..', to) === entry;
  return isOwnIndex ? [`${path} imports its own package's index: import the file that has it`] : [];
}

function packageBreach(from: Workspace, { path }: SourceFile, to: string, byName: Map<string, Workspace>): string[] {
  const [scope, short, ...below] = to.split('/');
  const name = `${scope}/${short}`;
  const target = byName.get(name);
  const isExported = ['.', ...below].join('/') in (target?.manifest.exports ?? {});
  if (!target || !isExported)
    return [`${path} imports ${to}: only the name of a package can be imported, or what it exports beside`];
  if (target === from) return [`${path} imports its own package by name`];
  if (nameOf(target.folder) === 'testkit') return [`${path} imports testkit, which is for tests alone`];
  const [layer, targetLayer] = [layerOf(from), layerOf(target)];
  const isNeighbour = layer === targetLayer && layer > 1 && layer < SERVICES;
  return [
    ...(targetLayer > layer ? [`${path} (layer ${layer}) imports upward: ${to} (layer ${targetLayer})`] : []),
    ...(isNeighbour ? [`${path} imports its neighbour ${to}: both are in layer ${layer}`] : []),
    ...forbidden(from, path, to),
    ...undeclared(from, path, name),
  ];
}

function forbidden({ folder }: Workspace, path: string, to: string): string[] {
  return FORBIDDEN.flatMap(({ from, to: target, except }) => {
    const name = SCOPE + target;
    const isTarget = to === name || (to.startsWith(`${name}/`) && to !== `${name}/${except}`);
    if (nameOf(folder) !== from || !isTarget) return [];
    return [`${path} imports ${to}, which ${from} may not${except ? ` except as ${target}/${except}` : ''}`];
  });
}

/** The package that imports a library must name it; libraries of tests and tools alone are in the root. */
function libraryBreach(from: Workspace, { path }: SourceFile, to: string): string[] {
  const name = to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/');
  const isTool = nameOf(from.folder) === 'testkit' && name in (readManifest('package.json').devDependencies ?? {});
  return isTool ? [] : undeclared(from, path, name);
}

function undeclared({ folder, manifest }: Workspace, path: string, name: string): string[] {
  const declared = { ...manifest.dependencies, ...manifest.optionalDependencies };
  return name in declared
    ? []
    : [`${path} imports ${name}, which is not in the dependencies of ${folder}/package.json`];
}

function layerOf({ folder }: Workspace): number {
  return folder.startsWith('services/') ? SERVICES : (LAYERS[nameOf(folder)] ?? SERVICES);
}

function nameOf(folder: string): string {
  return folder.split('/').at(-1)!;
}
