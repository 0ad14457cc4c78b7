import { join } from 'node:path';
import type { Workspace } from './workspaces.ts';

/** Every circle between files, types included, as the way around it. One circle is told once. */
export function findCircles(workspaces: Workspace[]): string[] {
  const graph = importGraph(workspaces);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: string[]) => {
    const met = way.indexOf(file);
    if (met >= 0) circles.push([...way.slice(met), file].join(' → '));
    if (met >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles.map((circle) => `a circle: ${circle}`);
}

/** Which file imports which; a package that is imported by name stands for the file that it exports. */
function importGraph(workspaces: Workspace[]): Map<string, string[]> {
  const entries = new Map(
    workspaces.flatMap(({ name, folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).map(([below, file]) => [join(name, below), join(folder, file)] as const),
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
