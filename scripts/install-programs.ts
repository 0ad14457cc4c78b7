import { findPrograms } from '../packages/testkit/src/find-programs.ts';

// Installs what the tests need of this machine, before they run. What cannot be installed fails the tests that need it.
for (const { missing } of Object.values(await findPrograms())) if (missing) console.error(missing);
