export { openDatabase, type Database, type DatabaseOptions, type Db } from './database.ts';
export { openReads, type Reads, type ReadsOptions } from './reads.ts';
export { databaseEnv } from './env.ts';
export { watchVitals, type Vitals } from './vitals.ts';
export { MigrationError } from './errors.ts';
export { isMigrated, migrate, migrationStatus, type MigrationStatus } from './migrate.ts';
export type * from './tables/index.ts';
export {
  AccessError,
  addUser,
  announceAccessChange,
  createKey,
  createOrganization,
  findKeyHolder,
  findOrganization,
  findPlan,
  identifyCaller,
  judgeKey,
  listKeys,
  listOrganizations,
  listPlans,
  listUsers,
  onAccessChange,
  removeUser,
  revokeKey,
  setOrganization,
  setPlan,
  type Caller,
  type CreatedKey,
  type KeyFault,
  type KeyHolder,
  type NewKey,
  type NewOrganization,
  type OrganizationChange,
  type PlanChange,
} from './access/index.ts';
export {
  findDateRange,
  findDomainDays,
  findDomainId,
  findDomains,
  findDomainTotal,
  findNamedTotal,
  findOrgDays,
  findOrgTotal,
  findReport,
  findReports,
  findListResults,
  findSource,
  findSourceDays,
  findSourceKnowledge,
  findSourceReports,
  findSources,
  findWarnings,
  readRecords,
  sourceClassOf,
  type DomainRow,
  type Page,
  type ReportFilter,
  type ReportHead,
  type ReportListRow,
  type ReportSort,
  type SortDirection,
  type SourceDetail,
  type SourceFilter,
  type SourceKnowledge,
  type SourceListRow,
  type SourceRow,
  type SourceSort,
  type SourceSums,
  type StoredRecord,
  type Total,
} from './read/index.ts';
export { isStorageFailure } from './storage-failure.ts';
export { inspectDatabase, inspectWork, type DatabaseSettings, type WaitingWork } from './inspect.ts';
export { isWorthAnotherTry, transact, type Session, type Statement } from './transaction.ts';
export { assignMessage, findClaims, type Assignment } from './write/assign-messages.ts';
export { openClaimant, releaseDeadClaims, type Claimant } from './write/claimant.ts';
export type { ClaimedMessage } from './write/claimed-message.ts';
export { openDimensions, type Dimensions } from './write/dimensions.ts';
export { claimMessages, nextWaitingOrg, putBackMessage } from './write/claim-messages.ts';
export { finishMessages, type FinishedMessage } from './write/finish-messages.ts';
export { enterMessages, findPayloads, type NewMessage, type ReceivedMessage } from './write/intake.ts';
export {
  finishAlignment,
  finishJudgement,
  findUnjudged,
  keepJudging,
  recordsOf,
  saveAlignments,
  saveClasses,
  type JudgedCopy,
  type RecordKey,
  type RecordToJudge,
} from './write/judge-records.ts';
export {
  findHeldCopies,
  improveCopies,
  isImproved,
  strongest,
  type CopyWitness,
  type HeldContent,
} from './write/improve-copies.ts';
export { reannounceStale, relayOutbox, type OutboxEntry } from './write/outbox.ts';
export { repairDirtyKeys } from './write/repair-rollups.ts';
export { addRecord, noSums, type CopyOrigin, type ReportCopy, type ReportSums } from './write/report-facts.ts';
export {
  findCopiesOf,
  markSettled,
  recountReport,
  uncountReport,
  type HeldReport,
  type HeldRevision,
  type Settlement,
} from './write/settle-copies.ts';
export type {
  AprfEntryFacts,
  AprfFacts,
  FailureFacts,
  OtherCopy,
  OtherReport,
  TlsFacts,
  TlsFailureFacts,
  TlsPolicyFacts,
} from './write/other-facts.ts';
export { storeOther } from './write/store-other.ts';
export { refreshStatistics } from './write/statistics.ts';
export { addCopies, storeReports, storeStreamed, type Stored, type WholeCopy } from './write/store-reports.ts';
export {
  countReceivedSince,
  countUnfinished,
  findFinished,
  findMessage,
  hasReceived,
  listMessages,
  type MessageStory,
} from './ledger/messages.ts';
export {
  countCopiesOpen,
  countEnded,
  findEnded,
  findEndings,
  type EndedMessage,
  type ReplayScope,
} from './replay/scope.ts';
export { putInLine } from './replay/put-in-line.ts';
export { countUndoneBefore, countUnsettled, measureReports, type MeasuredReport } from './replay/measure-reports.ts';
export { findStored, type StoredReport } from './replay/stored-report.ts';
export {
  dropCopy,
  endReread,
  holdCounted,
  judgeAgain,
  putWarnings,
  warningsBeside,
  type RereadKey,
} from './replay/end-reread.ts';
export { findDrift, rebuildRollups, type Drift } from './audit/audit.ts';
export { findSpotDrift, nextOrgToCheck, type SpotCheck } from './audit/spot-check.ts';
export { sampleCopies, type SampledCopy } from './audit/sample-copies.ts';
export { addDomain, findMonitored, removeDomain, type MonitoredOptions } from './domains/monitored.ts';
export {
  findDeliveryBacklog,
  findDirtyBacklog,
  findIntakeLag,
  findOutboxBacklog,
  type Backlog,
} from './figures/index.ts';
export {
  addTarget,
  beginTry,
  disableTarget,
  endTry,
  findDeliveries,
  findTarget,
  listTargets,
  planDeliveries,
  removeTarget,
  resealTargets,
  type BegunTry,
  type DeliveryKey,
  type DeliveryPlan,
  type DeliveryRow,
  type EndedTry,
  type NewTarget,
  type Target,
  type TargetKey,
} from './deliveries/index.ts';
export { findDoubtfulMail, findFigures, hasAllReporters } from './events/domain-figures.ts';
export { findFirstReporter, findNewNames, findOpenConditions, findSigned } from './events/domain-names.ts';
export { findRecords } from './events/domain-records.ts';
export { dropWatch, finishWatch, holdWatch, type SeenOfDomain, type WatchedDomain } from './events/hold-watch.ts';
export { BURST } from './events/insert-events.ts';
export { keepConditions, type OrgCondition } from './events/keep-conditions.ts';
export { findExpiringKeys, findNearQuota, findUnread } from './events/org-conditions.ts';
export { endInTime, raiseEvents, type Raised } from './events/raise-events.ts';
export { finishLook, type LookedAt } from './events/finish-look.ts';
export { findDueSources } from './events/source-event-facts.ts';
export { planEvents, watchDomains, type EventPlan } from './events/watch.ts';
export {
  addMailbox,
  enterMails,
  findAilingMailboxes,
  findFinishedItems,
  findMailbox,
  findPressure,
  findUnknownUids,
  hasOpenItems,
  holdMailbox,
  isFlooded,
  listMailboxes,
  markActed,
  noteAttempt,
  noteStanding,
  noteSuccess,
  noteTrouble,
  openEpoch,
  removeMailbox,
  renewToken,
  resealMailboxes,
  resumeMailbox,
  type AilingMailbox,
  type Endurance,
  type Mailbox,
  type MailboxKey,
  type MailboxStanding,
  type MailboxWithProgress,
  type NewMail,
  type NewMailbox,
  type SealedSecrets,
  type SealedToken,
  type Trouble,
} from './mailboxes/index.ts';
export {
  addressFacts,
  announceJudgement,
  announceRejudgement,
  claimZoneTests,
  findBudgetLeft,
  findEnrichments,
  findMailGroups,
  findStandings,
  findUnjudgedSources,
  findVolumes,
  findZones,
  finishSources,
  judgedBy,
  mailGroup,
  holdUnjudgedSources,
  noteSources,
  planLookups,
  recordsOfSources,
  saveFacts,
  saveStandings,
  saveZone,
  senderOf,
  sourceFacts,
  takeCall,
  takeInHand,
  tellBudget,
  type Enrichment,
  type FoundFacts,
  type LookupPlan,
  type NamedSource,
  type SourceStanding,
  type Standing,
  type UnjudgedSource,
} from './sources/index.ts';
export {
  findCheckChanges,
  findCheckedDomain,
  findChecks,
  saveChecks,
  type CheckedDomain,
  type DomainOutcome,
  type NewCheck,
  type StoredCheck,
} from './domains/checks.ts';
export { planChecks, type CheckPlan } from './domains/plan-checks.ts';
export {
  findSelectors,
  noteSelectors,
  noteSubdomains,
  type SeenSelector,
  type SeenSubdomain,
} from './domains/selectors.ts';
export {
  findDomainName,
  findHealth,
  planHealth,
  type HealthPlan,
  saveHealth,
  type DomainHealthBody,
  type HeldHealth,
} from './domains/health.ts';
export { findHealthFacts, type HealthFacts, type OpenDomainEvent, type WindowSums } from './read/health-facts.ts';
export type { Placement } from './read/placement.ts';
export { domainFactsOf } from './read/domain-facts.ts';
export { findFailureReports, findTlsReports, type OtherFilter } from './read/other-reports.ts';
export { findFirstDay, findHistories } from './scores/histories.ts';
export {
  findSnapshots,
  findSnapshotState,
  finishSnapshots,
  planSnapshots,
  postponeSnapshots,
  saveSnapshots,
  type SnapshotPlan,
  type SnapshotState,
} from './scores/snapshots.ts';
export { countWindowSources, findChanges, findItemDomains, findOrgEvents } from './read/overview-facts.ts';
export { findScoreFacts, type ScoreFacts } from './read/score-facts.ts';
export { acknowledgeEvent, findEvents, type EventFilter, type EventRow } from './read/events.ts';
export { findMailStory, type MailPlace, type MailStory } from './ledger/mail-story.ts';
export { addUsage, forgetUsageBatches, noteKeyUse, type NewUsage } from './usage/add-usage.ts';
export {
  findKeyUsage,
  findQuotaUse,
  findRequests,
  findUsage,
  type HourRange,
  type KeyUsage,
  type QuotaUse,
  type UsageSums,
} from './usage/find-usage.ts';
export { hourBegin } from './usage/hours.ts';
export {
  areBytesGone,
  countBytes,
  countDeliveries,
  countOthers,
  countReports,
  cutoffsOf,
  endOrganization,
  findLeaving,
  finishPurge,
  finishSweep,
  keepPurging,
  leaveOrganization,
  letStrayBytesGo,
  organizationTables,
  planPurges,
  purgeBytes,
  reclaimBytes,
  removeBlobs,
  removeDeliveries,
  removeOthers,
  removeReports,
  removeRows,
  type Cutoffs,
  type OtherKind,
  type PurgedBytes,
  type PurgePlan,
  type RemovedOthers,
  type RemovedReports,
  type Retention,
} from './purge/index.ts';
