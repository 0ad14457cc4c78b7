import type { Workspace } from './workspaces.ts';

/** Every `export *`: what a package offers is listed name by name, so that a reader and a review see it. */
export function findOpenExports(workspaces: Workspace[]): string[] {
  return workspaces
    .flatMap(({ sources }) => sources)
    .filter(({ text }) => /^\s*export\s+(?:type\s+)?\*/m.test(text))
    .map(({ path }) => `${path} has an export *: export each name`);
}
