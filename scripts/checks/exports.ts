import { join } from 'node:path';
import { entryOf, type Workspace } from './workspaces.ts';

/** Every `export *`: what a package offers is listed name by name, so that a reader and a review see it. */
export function findOpenExports(workspaces: Workspace[]): string[] {
  return workspaces
    .flatMap(({ sources }) => sources)
    .filter(({ text }) => /^\s*export\s+(?:type\s+)?\*/m.test(text))
    .map(({ path }) => `${path} has an export *: export each name`);
}

/** Every name that a package exports from a source file that it does not have. */
export function findLostExports(workspaces: Workspace[]): string[] {
  return workspaces.flatMap(({ folder, manifest, sources }) =>
    Object.keys(manifest.exports ?? {}).flatMap((name) => {
      const entry = entryOf(manifest, name);
      const isHere = sources.some(({ path }) => path === join(folder, entry ?? ''));
      return isHere ? [] : [`${folder}/package.json exports ${name} from ${entry}, which does not exist`];
    }),
  );
}
