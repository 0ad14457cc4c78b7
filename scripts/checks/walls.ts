import { join } from 'node:path';
import { readManifest, type SourceFile, type Workspace } from './workspaces.ts';

const SCOPE = '@dmarc-ledger/';
const SERVICES = 5;
/** Imports go down. On a floor between the lowest and the services, neighbours do not know each other either. */
const FLOORS: Record<string, number> = {
  vocabulary: 1,
  inlets: 1,
  dmarc: 2,
  unpack: 2,
  blobs: 2,
  secrets: 2,
  lookups: 2,
  'dns-records': 2,
  scoring: 2,
  sources: 2,
  queues: 2,
  limits: 2,
  'local-postgres': 2,
  runtime: 2,
  samples: 2,
  rua: 3,
  tlsrpt: 3,
  aprf: 3,
  ruf: 3,
  db: 3,
  pipeline: 4,
  api: 4,
  testkit: 5,
};

/** Every import that goes through a wall, in a sentence each. */
export function findBreaches(workspaces: Workspace[]): string[] {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const breaches = workspaces.flatMap((from) => [
    ...unplacedRoom(from),
    ...from.sources.flatMap((file) => file.imports.flatMap((to) => breach(from, file, to, byName))),
    ...from.tests.flatMap((file) => file.imports.flatMap((to) => relativeBreach(from, file, to))),
  ]);
  return breaches.map((sentence) => sentence.replaceAll(SCOPE, ''));
}

function unplacedRoom({ folder }: Workspace): string[] {
  return folder.startsWith('packages/') && !(nameOf(folder) in FLOORS)
    ? [`${folder} has no floor in scripts/checks/walls.ts`]
    : [];
}

function breach(from: Workspace, file: SourceFile, to: string, byName: Map<string, Workspace>): string[] {
  if (to.startsWith('.')) return [...relativeBreach(from, file, to), ...ownIndexBreach(from, file, to)];
  if (to.startsWith('node:')) return [];
  return to.startsWith(SCOPE) ? roomBreach(from, file, to, byName) : strangerBreach(from, file, to);
}

function relativeBreach({ folder }: Workspace, { path }: SourceFile, to: string): string[] {
  if (!to.startsWith('.')) return [];
  const target = join(path, '..', to);
  return target.startsWith(`${folder}/`) || !/^(packages|services)\//.test(target)
    ? []
    : [`${path} reaches into ${target}: import the package by its name`];
}

function ownIndexBreach({ folder, manifest }: Workspace, { path }: SourceFile, to: string): string[] {
  const entry = join(folder, manifest.exports?.['.'] ?? 'src/index.ts');
  const isOwnIndex = entry.endsWith('/index.ts') && join(path, '..', to) === entry;
  return isOwnIndex ? [`${path} imports its own package's index: import the file that has it`] : [];
}

function roomBreach(from: Workspace, { path }: SourceFile, to: string, byName: Map<string, Workspace>): string[] {
  const [scope, short, ...below] = to.split('/');
  const name = `${scope}/${short}`;
  const target = byName.get(name);
  const isExported = ['.', ...below].join('/') in (target?.manifest.exports ?? {});
  if (!target || !isExported)
    return [`${path} imports ${to}: only the name of a package can be imported, or what it exports beside`];
  if (target === from) return [`${path} imports its own package by name`];
  if (nameOf(target.folder) === 'testkit') return [`${path} imports testkit, which is for tests alone`];
  const [floor, targetFloor] = [floorOf(from), floorOf(target)];
  const isNeighbour = floor === targetFloor && floor > 1 && floor < SERVICES;
  return [
    ...(targetFloor > floor ? [`${path} (floor ${floor}) imports upward: ${to} (floor ${targetFloor})`] : []),
    ...(isNeighbour ? [`${path} imports its neighbour ${to}: both are on floor ${floor}`] : []),
    ...undeclared(from, path, name),
  ];
}

/** A third party's package must be named by who imports it; what only tests and tools use stands in the root. */
function strangerBreach(from: Workspace, { path }: SourceFile, to: string): string[] {
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

function floorOf({ folder }: Workspace): number {
  return folder.startsWith('services/') ? SERVICES : (FLOORS[nameOf(folder)] ?? SERVICES);
}

function nameOf(folder: string): string {
  return folder.split('/').at(-1)!;
}
