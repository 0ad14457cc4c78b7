import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import MixedSequencer from './test/support/mixed-sequencer.ts';

const folders = '{packages,services}/*/test/**';
const needServices = [`${folders}/*.{db,e2e}.test.ts`, 'test/**/*.{db,e2e}.test.ts'];
const long = [`${folders}/*.long.test.ts`, 'test/**/*.long.test.ts'];
/** With the larger numbers of `npm run soak`, which sets it, tests take longer. */
const { TEST_TIMEOUT_MS = '240000' } = process.env;

// `all` is every test, on a real PostgreSQL and a real Redis that are started once for the whole run. What computes is
// mixed with what waits, so no processor is idle. `unit` is the part that needs nothing but Node, for `npm run verify`,
// which leaves out the files that take many seconds (`long`). The files of a run share their modules, as loading the
// same ones for each file took much processor time: a test that changes a variable or a clock sets it back.
export default defineConfig({
  test: {
    reporters: ['default', './test/support/flaky-reporter.ts'],
    sequence: { sequencer: MixedSequencer },
    maxWorkers: Math.min(availableParallelism(), 4),
    execArgv: ['--min-semi-space-size=16', '--max-semi-space-size=32'], // a twentieth less processor time
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${folders}/*.test.ts`, 'test/**/*.test.ts'],
          exclude: [...needServices, ...long],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'all',
          include: [`${folders}/*.test.ts`, 'test/**/*.test.ts'],
          isolate: false,
          globalSetup: 'packages/testkit/src/global-setup.ts',
          testTimeout: Number(TEST_TIMEOUT_MS),
          hookTimeout: Number(TEST_TIMEOUT_MS),
          expect: { poll: { timeout: 30_000 } },
          maxWorkers: 4, // most of them wait for others
          retry: 2, // servers on a busy machine; the run names the tests that needed it
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
