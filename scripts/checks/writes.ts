import type { Workspace } from './workspaces.ts';

/** Packages whose statements only select. */
const READ_ONLY = ['packages/facts', 'packages/queries'];
const WRITE =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(|\b(?:insert\s+into|delete\s+from|merge\s+into|truncate)\s|\bupdate\s+\w+\s+(?:\w+\s+)?set\b/i;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

/** Every file of a package that only reads that has a statement that writes. */
export function findWrites(workspaces: Workspace[]): string[] {
  return workspaces
    .filter(({ folder }) => READ_ONLY.includes(folder))
    .flatMap(({ sources }) => sources)
    .filter(({ text }) => WRITE.test(text.replace(COMMENT, '')))
    .map(({ path }) => `${path} writes: statements that write stand in packages/ledger`);
}
