import { findBreaches } from './checks/boundaries.ts';
import { findCircles } from './checks/circles.ts';
import { findOpenExports } from './checks/exports.ts';
import { findFolderCircles } from './checks/folders.ts';
import { findLockFaults } from './checks/lockfile.ts';
import { findWrites } from './checks/writes.ts';
import { readWorkspaces } from './checks/workspaces.ts';

const checks = [findBreaches, findCircles, findFolderCircles, findOpenExports, findWrites, findLockFaults];
const workspaces = readWorkspaces();
const faults = checks.flatMap((check) => check(workspaces));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
