import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the tests of whole processes, which wait more than they work, and runs one of the other files beside each
 * of them, so that no processor is idle, and no long file runs alone at the end.
 */
export default class MixedSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ofProcesses: TestSpecification[] = [];
    const others: TestSpecification[] = [];
    for (const file of await super.sort(files)) (isOfProcesses(file) ? ofProcesses : others).push(file);
    return ofProcesses.flatMap((file, i) => [file, ...others.slice(i, i + 1)]).concat(others.slice(ofProcesses.length));
  }
}

/** Servers that are killed and cut off, and commands; those of `packages/` are in the process of the test. */
function isOfProcesses({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith('.e2e.test.ts') && !/\/packages\/[^/]+\/test\//.test(moduleId);
}
