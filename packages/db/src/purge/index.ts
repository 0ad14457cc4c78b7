export { cutoffsOf, type Cutoffs, type Retention } from './retention.ts';
export { removeReports, type RemovedReports } from './remove-reports.ts';
export { countOthers, removeOthers, type OtherKind, type RemovedOthers } from './remove-others.ts';
export {
  countBytes,
  countDeliveries,
  countReports,
  purgeBytes,
  removeDeliveries,
  type PurgedBytes,
} from './remove-deliveries.ts';
export { areBytesGone, letStrayBytesGo, reclaimBytes, removeBlobs } from './removed-blobs.ts';
export {
  endOrganization,
  findLeaving,
  leaveOrganization,
  organizationTables,
  removeRows,
} from './remove-organization.ts';
export { finishPurge, finishSweep, keepPurging, planPurges, type PurgePlan } from './plan-purges.ts';
