import { expect, it } from 'vitest';
import { findBreaches } from '../scripts/checks/boundaries.ts';
import { findCircles } from '../scripts/checks/circles.ts';
import { findLostExports, findOpenExports } from '../scripts/checks/exports.ts';
import { findFolderCircles } from '../scripts/checks/folders.ts';
import { findLockFaults } from '../scripts/checks/lockfile.ts';
import { findWrites } from '../scripts/checks/writes.ts';
import { readWorkspaces, type Workspace } from '../scripts/checks/workspaces.ts';

const checks = [
  findBreaches,
  findCircles,
  findFolderCircles,
  findOpenExports,
  findLostExports,
  findWrites,
  findLockFaults,
];

it('finds no fault in what is here', () => {
  const workspaces = readWorkspaces();
  expect(checks.flatMap((check) => check(workspaces))).toEqual([]);
});

it.each([
  ['upward', given('dmarc', { imports: ['@dmarc-ledger/ledger'] }), 'imports upward: ledger (layer 5)'],
  [
    'sideways',
    given('api', { imports: ['@dmarc-ledger/pipeline'] }),
    'imports its neighbour pipeline: both are in layer 6',
  ],
  [
    'of the ledger by the queries',
    given('queries', { imports: ['@dmarc-ledger/ledger'] }),
    'imports its neighbour ledger: both are in layer 5',
  ],
  [
    'of the queries by the ledger',
    given('ledger', { imports: ['@dmarc-ledger/queries'] }),
    'imports its neighbour queries: both are in layer 5',
  ],
  ['of the ledger by the schema', given('schema', { imports: ['@dmarc-ledger/ledger'] }), 'imports upward: ledger'],
  [
    'of the whole ledger by the API',
    given('api', { imports: ['@dmarc-ledger/ledger'] }),
    'imports ledger, which api may not except as ledger/for-api',
  ],
  [
    'of the queries by the pipeline',
    given('pipeline', { imports: ['@dmarc-ledger/queries'] }),
    'imports queries, which pipeline may not',
  ],
  [
    'that its package.json does not name',
    given('ledger', { imports: ['@dmarc-ledger/dmarc'], dependencies: {} }),
    'not in the dependencies',
  ],
  [
    'of a library that its package.json does not name',
    given('ledger', { imports: ['zod'] }),
    'imports zod, which is not in the dependencies',
  ],
  [
    'of a file deep in another package',
    given('ledger', { imports: ['@dmarc-ledger/dmarc/src/verdict.ts'] }),
    'only the name of a package',
  ],
  [
    'of a file beside its package',
    given('ledger', { imports: ['../../dmarc/src/verdict.ts'] }),
    'reaches into packages/dmarc/src/verdict.ts',
  ],
  ['of its own index', given('ledger', { imports: ['./index.ts'] }), 'imports its own package’s index'],
  [
    'of the testkit',
    given('ledger', { imports: ['@dmarc-ledger/testkit'] }),
    'imports testkit, which is for tests alone',
  ],
])('refuses an import %s', (_, from, sentence) => {
  const names = ['dmarc', 'schema', 'ledger', 'queries', 'api', 'pipeline', 'testkit'];
  const others = names.map((name) => given(name, {})).filter(({ name }) => name !== from.name);
  expect(
    findBreaches([from, ...others])
      .join('\n')
      .replaceAll("'", '’'),
  ).toContain(sentence);
});

it('lets the API have of the ledger what is exported for it', () => {
  const api = given('api', {
    imports: ['@dmarc-ledger/ledger/for-api'],
    dependencies: { '@dmarc-ledger/ledger': '*' },
  });
  expect(findBreaches([api, given('ledger', {})])).toEqual([]);
});

it('refuses an export of a file that does not exist', () => {
  expect(findLostExports([given('ledger', {})])).toEqual([
    'packages/ledger/package.json exports . from ./src/index.ts, which does not exist',
    'packages/ledger/package.json exports ./for-api from ./src/for-api.ts, which does not exist',
  ]);
});

it('refuses a package that has no layer', () => {
  expect(findBreaches([given('attic', {})])).toEqual(['packages/attic has no layer in scripts/checks/boundaries.ts']);
});

it('finds a circle that goes through three files, and lists it once', () => {
  const names = ['a', 'b', 'c'];
  const circle = {
    ...given('ledger', {}),
    sources: names.map((name, i) => file(name, [`./${['b', 'c', 'a'][i]}.ts`])),
  };
  expect(findCircles([circle])).toEqual([
    'a circle: packages/ledger/src/a.ts → packages/ledger/src/b.ts → packages/ledger/src/c.ts → packages/ledger/src/a.ts',
  ]);
});

it('finds packages that name each other, one of them for its tests, though no files import each other', () => {
  const dmarc = given('dmarc', { dependencies: {} });
  dmarc.manifest.devDependencies = { '@dmarc-ledger/ledger': '*' };
  expect(findCircles([given('ledger', { dependencies: { '@dmarc-ledger/dmarc': '*' } }), dmarc])).toEqual([
    'a circle: @dmarc-ledger/ledger → @dmarc-ledger/dmarc → @dmarc-ledger/ledger',
  ]);
});

it('finds folders that import each other though no files do', () => {
  const sources = [file('events/raise', ['../domains/health.ts']), file('domains/checks', ['../events/watch.ts'])];
  expect(findCircles([{ ...given('ledger', {}), sources }])).toEqual([]);
  expect(findFolderCircles([{ ...given('ledger', {}), sources }])).toEqual([
    'a circle of folders: packages/ledger/src/events → packages/ledger/src/domains → packages/ledger/src/events',
  ]);
});

it.each(["export * from './a.ts';", "export type * from './a.ts';"])('refuses an index that says %s', (text) => {
  expect(findOpenExports([{ ...given('ledger', {}), sources: [file('index', [], text)] }])).toEqual([
    'packages/ledger/src/index.ts has an export *: export each name',
  ]);
});

it.each([
  "await db.insertInto('event').values(row).execute();",
  'await sql`update event set acknowledged_at = now()`.execute(db);',
  'await sql`delete from event`.execute(db);',
])('refuses a query that writes: %s', (text) => {
  const path = 'packages/queries/src/file.ts';
  expect(findWrites([{ ...given('queries', {}), sources: [{ path, imports: [], text }] }])).toEqual([
    `${path} writes: statements that write stand in packages/ledger`,
  ]);
});

/** A package with one file that has these imports; by default its manifest names the packages that it imports. */
function given(
  short: string,
  { imports = [], dependencies }: { imports?: string[]; dependencies?: Record<string, string> },
): Workspace {
  const name = `@dmarc-ledger/${short}`;
  const named = Object.fromEntries(imports.filter((to) => to.startsWith('@dmarc-ledger/')).map((to) => [to, '*']));
  const door = short === 'ledger' && { './for-api': './src/for-api.ts' };
  return {
    name,
    folder: `packages/${short}`,
    manifest: { name, exports: { '.': './src/index.ts', ...door }, dependencies: dependencies ?? named },
    sources: [{ path: `packages/${short}/src/file.ts`, imports, text: '' }],
    tests: [],
  };
}

function file(name: string, imports: string[], text = '') {
  return { path: `packages/ledger/src/${name}.ts`, imports, text };
}
