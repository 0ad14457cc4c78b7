import { checks, runSteps, type Step } from './steps.ts';

// Everything that needs no server, in well under a minute: for before every commit.
const unit: Step = { name: 'unit tests', command: ['vitest', 'run', '--project', 'unit'] };
const [types, ...others] = checks;
process.exitCode = (await runSteps([types, unit, ...others])) ? 0 : 1;
