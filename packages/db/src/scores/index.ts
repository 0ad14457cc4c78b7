export { findFirstDay, findHistories } from './histories.ts';
export {
  findSnapshots,
  findSnapshotState,
  findToday,
  finishSnapshots,
  planSnapshots,
  postponeSnapshots,
  saveSnapshots,
  type SnapshotPlan,
  type SnapshotState,
} from './snapshots.ts';
export { reopenSnapshots } from './reopen-snapshots.ts';
