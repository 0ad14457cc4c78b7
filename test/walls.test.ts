import { expect, it } from 'vitest';
import { findCircles } from '../scripts/checks/circles.ts';
import { findLockFaults } from '../scripts/checks/lockfile.ts';
import { findBreaches } from '../scripts/checks/walls.ts';
import { readWorkspaces, type Workspace } from '../scripts/checks/workspaces.ts';

it('finds no fault in what is here', () => {
  const workspaces = readWorkspaces();
  expect([...findBreaches(workspaces), ...findCircles(workspaces), ...findLockFaults(workspaces)]).toEqual([]);
});

it.each([
  ['upward', room('dmarc', { imports: ['@dmarc-ledger/db'] }), 'imports upward: db (floor 3)'],
  [
    'sideways',
    room('api', { imports: ['@dmarc-ledger/pipeline'] }),
    'imports its neighbour pipeline: both are on floor 4',
  ],
  [
    'that its package.json does not name',
    room('db', { imports: ['@dmarc-ledger/dmarc'], dependencies: {} }),
    'not in the dependencies',
  ],
  [
    'of a stranger that its package.json does not name',
    room('db', { imports: ['zod'] }),
    'imports zod, which is not in the dependencies',
  ],
  [
    'of a file deep in another package',
    room('db', { imports: ['@dmarc-ledger/dmarc/src/verdict.ts'] }),
    'only the name of a package',
  ],
  [
    'of a file beside its package',
    room('db', { imports: ['../../dmarc/src/verdict.ts'] }),
    'reaches into packages/dmarc/src/verdict.ts',
  ],
  ['of its own index', room('db', { imports: ['./index.ts'] }), 'imports its own package’s index'],
  ['of the testkit', room('db', { imports: ['@dmarc-ledger/testkit'] }), 'imports testkit, which is for tests alone'],
])('refuses an import %s', (_, from, sentence) => {
  const others = ['dmarc', 'db', 'api', 'pipeline', 'testkit'].map((name) => room(name, {}));
  const breaches = findBreaches([from, ...others.filter(({ name }) => name !== from.name)]);
  expect(breaches.join('\n').replaceAll("'", '’')).toContain(sentence);
});

it('refuses a room that has no floor', () => {
  expect(findBreaches([room('attic', {})])).toEqual(['packages/attic has no floor in scripts/checks/walls.ts']);
});

it('finds a circle that goes through three files, and tells it once', () => {
  const circle = room('db', {});
  circle.sources = ['a', 'b', 'c'].map((name, i) => ({
    path: `packages/db/src/${name}.ts`,
    imports: [`./${['b', 'c', 'a'][i]}.ts`],
  }));
  expect(findCircles([circle])).toEqual([
    'a circle: packages/db/src/a.ts → packages/db/src/b.ts → packages/db/src/c.ts → packages/db/src/a.ts',
  ]);
});

function room(
  short: string,
  { imports = [], dependencies }: { imports?: string[]; dependencies?: Record<string, string> },
): Workspace {
  const name = `@dmarc-ledger/${short}`;
  const named = Object.fromEntries(imports.filter((to) => to.startsWith('@dmarc-ledger/')).map((to) => [to, '*']));
  return {
    name,
    folder: `packages/${short}`,
    manifest: { name, exports: { '.': './src/index.ts' }, dependencies: dependencies ?? named },
    sources: [{ path: `packages/${short}/src/file.ts`, imports }],
    tests: [],
  };
}
