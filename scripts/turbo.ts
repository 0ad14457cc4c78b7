import { runOpenly } from './steps.ts';

// A turbo task for all packages; the preflight that runs this has put turbo on the PATH and switched its telemetry off.
process.exitCode = (await runOpenly({ name: 'turbo', command: ['turbo', 'run', ...process.argv.slice(2)] })) ? 0 : 1;
