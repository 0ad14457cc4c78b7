import { checks, runOpenly, runSteps } from './steps.ts';

// Everything: the checks, then every test on a real PostgreSQL and a real Redis. Arguments go to vitest.
const areChecksGood = await runSteps(checks);
const areTestsGood = await runOpenly({ name: 'tests', command: ['vitest', 'run', ...process.argv.slice(2)] });
if (!areChecksGood) console.error('The tests ran, but a check above failed.');
process.exitCode = areChecksGood && areTestsGood ? 0 : 1;
