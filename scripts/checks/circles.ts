import { join } from 'node:path';
import { entryOf, type Workspace } from './workspaces.ts';

/** Every circle between files, types included, and between manifests, as the way around it. It is listed once. */
export function findCircles(workspaces: Workspace[]): string[] {
  return [...findWaysAround(importGraph(workspaces)), ...findWaysAround(manifestGraph(workspaces))].map(
    (circle) => `a circle: ${circle}`,
  );
}

/** The packages that each package names, also for its tests: turbo builds nothing when they form a circle. */
function manifestGraph(workspaces: Workspace[]): Map<string, string[]> {
  const names = new Set(workspaces.map(({ name }) => name));
  const named = ({ manifest: { dependencies, devDependencies } }: Workspace) =>
    Object.keys({ ...dependencies, ...devDependencies }).filter((name) => names.has(name));
  return new Map(workspaces.map((workspace) => [workspace.name, named(workspace)]));
}

/** The circles of a graph, each as its nodes in order with the first one repeated at the end. */
export function findWaysAround(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    const met = way.indexOf(file);
    if (met >= 0) circles.push([...way.slice(met), file].join(' → '));
    if (met >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

/** The imports of each file; a package that is imported by name is the file that it exports. */
function importGraph(workspaces: Workspace[]): Map<string, string[]> {
  const entries = new Map(
    workspaces.flatMap(({ name, folder, manifest }) =>
      Object.keys(manifest.exports ?? {}).map(
        (below) => [join(name, below), join(folder, entryOf(manifest, below) ?? '')] as const,
      ),
    ),
  );
  const files = workspaces.flatMap(({ sources }) => sources);
  return new Map(files.map(({ path, imports }) => [path, imports.flatMap((to) => resolve(path, to, entries))]));
}

function resolve(path: string, to: string, entries: Map<string, string>): string[] {
  if (to.startsWith('.')) return [join(path, '..', to)];
  const entry = entries.get(to);
  return entry ? [entry] : [];
}
