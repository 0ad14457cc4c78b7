export { assignMessage, findClaims, type Assignment } from './assign-messages.ts';
export { openClaimant, releaseDeadClaims, type Claimant } from './claimant.ts';
export type { ClaimedMessage } from './claimed-message.ts';
export { openDimensions, type Dimensions } from './dimensions.ts';
export { claimMessages, nextWaitingOrg, putBackMessage } from './claim-messages.ts';
export { finishMessages, type FinishedMessage } from './finish-messages.ts';
export { enterMessages, findPayloads, type NewMessage, type ReceivedMessage } from './intake.ts';
export {
  finishAlignment,
  finishJudgement,
  findUnjudged,
  keepJudging,
  recordsOf,
  saveAlignments,
  type RecordKey,
  type RecordToJudge,
} from './judge-records.ts';
export {
  findHeldCopies,
  improveCopies,
  isImproved,
  strongest,
  type CopyWitness,
  type HeldContent,
} from './improve-copies.ts';
export { reannounceStale, relayOutbox, type OutboxEntry } from './outbox.ts';
export { repairDirtyKeys } from './repair-rollups.ts';
export { addRecord, noSums, type CopyOrigin, type ReportCopy, type ReportSums } from './report-facts.ts';
export { recountReport } from './recount-report.ts';
export { holdReports } from './hold-reports.ts';
export { holdVersions, type ReportVersion } from './hold-versions.ts';
export { saveClasses } from './save-classes.ts';
export { findCopiesOf, markSettled, type HeldReport, type HeldRevision, type Settlement } from './settle-copies.ts';
export type {
  AprfEntryFacts,
  AprfFacts,
  FailureFacts,
  OtherCopy,
  OtherReport,
  TlsFacts,
  TlsFailureFacts,
  TlsPolicyFacts,
} from './other-facts.ts';
export { isReportHeld } from './report-held.ts';
export { storeOther } from './store-other.ts';
export {
  findHeldIntake,
  holdMessages,
  RECORD_BUDGET,
  recordsStoredToday,
  releaseHeld,
  type HeldIntake,
} from './record-budget.ts';
export { TOTAL_LIMIT } from './total-limit.ts';
export { refreshStatistics } from './statistics.ts';
export { addCopies, storeReports, storeStreamed, type Kept, type Stored, type WholeCopy } from './store-reports.ts';
