import { join } from 'node:path';
import { root } from './checks/workspaces.ts';
import { openMemoryFolder } from './memory-folder.ts';
import { installPackage } from './package/install.ts';
import { checks, runOpenly, runSteps, type Step } from './steps.ts';

const installPrograms: Step = {
  name: 'servers and browser for the tests',
  command: ['node', 'scripts/install-programs.ts'],
};

// Everything: the checks, then every test on a real PostgreSQL and a real Redis. Arguments go to vitest. The tests run
// the command as it is installed, which starts in half the time; without this variable they run its sources.
const [areChecksGood] = await Promise.all([runSteps(checks), runSteps([installPrograms])]);
await runOpenly({ name: 'pages', command: ['node', 'packages/web/build.ts'] });
process.env['TESTED_COMMAND'] = await installPackage(join(root, 'dist', 'tested'));
using memory = openMemoryFolder();
if (memory) process.env['TMPDIR'] = memory.path;
const areTestsGood = await runOpenly({
  name: 'tests',
  command: ['vitest', 'run', '--project', 'all', ...process.argv.slice(2)],
});
if (!areChecksGood) console.error('The tests ran, but a check above failed.');
process.exitCode = areChecksGood && areTestsGood ? 0 : 1;
