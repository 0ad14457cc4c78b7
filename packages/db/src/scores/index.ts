export { findFirstDay, findHistories } from './histories.ts';
export {
  findSnapshots,
  findSnapshotState,
  finishSnapshots,
  planSnapshots,
  postponeSnapshots,
  saveSnapshots,
  type SnapshotPlan,
  type SnapshotState,
} from './snapshots.ts';
