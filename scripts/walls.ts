import { findCircles } from './checks/circles.ts';
import { findLockFaults } from './checks/lockfile.ts';
import { findBreaches } from './checks/walls.ts';
import { readWorkspaces } from './checks/workspaces.ts';

const workspaces = readWorkspaces();
const faults = [...findBreaches(workspaces), ...findCircles(workspaces), ...findLockFaults(workspaces)];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
