import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Mixes what waits with what computes, so that no processor is idle: begins with the tests of whole processes, one of
 * the databases beside each, and spreads the tests that need no server over the other ones of databases. No long file
 * runs alone at the end.
 */
export default class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { processes = [], databases = [], alone = [] } = Object.groupBy(await super.sort(files), kindOf);
    const beside = databases.splice(0, processes.length);
    return [...spread(processes, beside), ...spread(databases, alone)];
  }
}

/** Servers that are killed and cut off, and commands; those of `packages/` are in the process of the test. */
function kindOf({ moduleId }: TestSpecification): 'processes' | 'databases' | 'alone' {
  if (!/\.(?:db|e2e)\.test\.ts$/.test(moduleId)) return 'alone';
  return moduleId.endsWith('.db.test.ts') || /\/packages\/[^/]+\/test\//.test(moduleId) ? 'databases' : 'processes';
}

/** Both in their order, the second spread evenly over the first. */
function spread<T>(first: readonly T[], second: readonly T[]): T[] {
  const placed = [first, second].flatMap((list) => list.map((each, i) => ({ each, place: (i + 0.5) / list.length })));
  return placed.toSorted((a, b) => a.place - b.place).map(({ each }) => each);
}
