import type { Reporter, TestModule } from 'vitest/node';

/**
 * Names the tests that did not pass at the first try, and says why not: each is a fault, of the test or of what it
 * tests.
 */
export default class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (!test.diagnostic()?.flaky) continue;
        process.stdout.write(`passed only when tried again: ${module.relativeModuleId} > ${test.fullName}\n`);
        for (const { message, diff } of test.result().errors ?? []) process.stdout.write(`${message}\n${diff ?? ''}\n`);
      }
  }
}
