import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const folders = '{packages,services}/*/test/**';
const needServices = [`${folders}/*.{db,e2e}.test.ts`, 'test/**/*.{db,e2e}.test.ts'];
const long = [`${folders}/*.long.test.ts`, 'test/**/*.long.test.ts'];

// `unit` needs nothing but Node; so does `long`, which takes many seconds a file and is left out of `npm run verify`;
// `services` runs on a real PostgreSQL and a real Redis, started once for the whole run.
export default defineConfig({
  test: {
    maxWorkers: Math.min(availableParallelism(), 4),
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${folders}/*.test.ts`, 'test/**/*.test.ts'],
          exclude: [...needServices, ...long],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'long',
          include: long,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'services',
          include: needServices,
          globalSetup: 'packages/testkit/src/global-setup.ts',
          testTimeout: 240_000,
          hookTimeout: 240_000,
          maxWorkers: 3, // most of them wait for others
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
