import { dirname, join } from 'node:path';
import { findWaysAround } from './circles.ts';
import type { Workspace } from './workspaces.ts';

/** Every circle between the folders of a package. A file beside the folders counts as a folder of its own. */
export function findFolderCircles(workspaces: Workspace[]): string[] {
  return workspaces
    .flatMap((workspace) => findWaysAround(folderGraph(workspace)))
    .map((circle) => `a circle of folders: ${circle}`);
}

function folderGraph({ folder, sources }: Workspace): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { path, imports } of sources) {
    const from = placeOf(folder, path);
    const to = imports.filter((target) => target.startsWith('.')).map((target) => join(path, '..', target));
    const others = to.map((target) => placeOf(folder, target)).filter((place) => place !== from);
    graph.set(from, [...(graph.get(from) ?? []), ...others]);
  }
  return graph;
}

function placeOf(folder: string, path: string): string {
  const holder = dirname(path);
  return holder === `${folder}/src` ? path : holder;
}
