export { announceAccessChange, onAccessChange } from './access/announce.ts';
export { identifyCaller, identifyKey } from './access/callers.ts';
export { findOwner } from './access/find-owner.ts';
export { AccessError } from './access/errors.ts';
export { createKey, listKeys, revokeKey, type NewKey } from './access/keys.ts';
export { createOrganization, findOrganization, listOrganizations, setOrganization } from './access/organizations.ts';
export { listPlans, setPlan } from './access/plans.ts';
export { addUser, listUsers, removeUser } from './access/users.ts';
export { findDrift, type Drift } from './audit/audit.ts';
export { judgedRecords } from './audit/judged-records.ts';
export { rebuildRollups } from './audit/rebuild-rollups.ts';
export { decideSender, withdrawDecision } from './senders/decide-sender.ts';
export { sampleCopies } from './audit/sample-copies.ts';
export { findSpotDrift, nextOrgToCheck } from './audit/spot-check.ts';
export { findDirtyBacklog, findIntakeLag, findNotificationBacklog, findOutboxBacklog } from './backlogs/backlogs.ts';
export { inspectWork } from './backlogs/waiting-work.ts';
export { rememberCheck } from './domains/check-history.ts';
export { findCheckedDomain, saveChecks, type CheckedDomain, type NewCheck } from './domains/checks.ts';
export { beginHealth, planHealth, saveHealth, type HealthPlan } from './domains/health.ts';
export { findReadPolicies, hastenChecks } from './domains/hasten-checks.ts';
export { saveEvidence, type NewEvidence } from './domains/evidence.ts';
export { findKnownSelectors, findSigned, type KnownSelector } from './domains/known-selectors.ts';
export { addDomain, findDomainId, findMonitored, type MonitoredOptions } from './domains/monitored.ts';
export { planChecks, type CheckPlan } from './domains/plan-checks.ts';
export {
  findUnknownSelectors,
  noteSelectors,
  noteSubdomains,
  type SeenSelector,
  type SeenSubdomain,
} from './domains/selectors.ts';
export {
  beginIssue,
  endIssue,
  extendIssue,
  planDigests,
  type BegunIssue,
  type IssueEnd,
  type IssueKey,
} from './digests/issues.ts';
export { countMailReaders } from './notifications/mail-readers.ts';
export { listSubscriptions, subscribe, unsubscribe, type Subscription } from './digests/subscriptions.ts';
export { reannounceStale, relayOutbox } from './due-work/outbox.ts';
export { reopenSnapshots } from './due-work/reopen-snapshots.ts';
export { watchDomains } from './due-work/watch-changes.ts';
export { findSendingNames } from './domains/sending-names.ts';
export { refreshEnforcementDays } from './enforcement/refresh-days.ts';
export { acknowledgeEvent } from './events/acknowledge-event.ts';
export { findDoubtfulMail, findFigures, findReportedDays } from './events/domain-figures.ts';
export { removeDomain } from './events/end-monitoring.ts';
export { findDoubtedReports, type JudgedMail } from './events/doubted-reports.ts';
export {
  findFirstReporter,
  findNewNames,
  findOpenConditions,
  findTrustedSigned,
  hasTrustedSince,
} from './events/domain-names.ts';
export { findOwnFigures } from './events/own-figures.ts';
export { findRecords } from './events/domain-records.ts';
export { findOwners } from './events/find-owners.ts';
export { finishLook } from './events/finish-look.ts';
export { dropWatch, finishWatch, holdWatch, type SeenOfDomain, type WatchedDomain } from './events/hold-watch.ts';
export { BURST } from './events/insert-events.ts';
export { keepConditions, type OrgCondition } from './events/keep-conditions.ts';
export { findExpiringKeys, findNearQuota, findUnread } from './events/org-conditions.ts';
export { planEvents, type EventPlan } from './events/plan-events.ts';
export { endInTime, raiseEvents } from './events/raise-events.ts';
export { findDueSources } from './events/source-event-facts.ts';
export { assignMessage, findClaims, takeAllDomains } from './intake/assign-messages.ts';
export { claimMessages, countStart, nextWaitingOrg, putBackMessage } from './intake/claim-messages.ts';
export { openClaimant, releaseDeadClaims, type Claimant } from './intake/claimant.ts';
export type { ClaimedMessage } from './intake/claimed-message.ts';
export { finishMessages, type FinishedMessage } from './intake/finish-messages.ts';
export { enterMessages, type ReceivedMessage } from './intake/intake.ts';
export { findTakenContents, type TakenContent } from './intake/taken-contents.ts';
export { BYTES_CODES, holdDeliveries } from './intake/reopen-damaged.ts';
export { measureProof, type Proof } from './audit/measure-proof.ts';
export { findUnauthenticatedDays } from './reports/unauthenticated.ts';
export { findProvenIdentities, holdCutIds } from './reports/cut-ids.ts';
export { reopenChoice } from './reports/reopen-choice.ts';
export { type BroughtCopy, findBroughtCopies } from './reports/brought-copies.ts';
export { type Bringer, findBringers, type StoredCopy, storedCopyText } from './reports/find-bringers.ts';
export { HELD_CODE, IMPORT_HELD_CODE } from './intake/unauthenticated-codes.ts';
export {
  type CopyKey,
  copyKeyText,
  findVouchedCopies,
  heldCodes,
  type HeldScope,
  holdsUnauthenticated,
  releaseReports,
} from './intake/held-reports.ts';
export { findMailDetails, type MailDetails } from './intake/mail-details.ts';
export { findRawDelivery, refersToBytes } from './intake/raw-delivery.ts';
export {
  countReceivedContents,
  countReceivedSince,
  countUnfinished,
  findFinished,
  findMessage,
  hasReceived,
  listMessages,
  type MessageDetails,
} from './intake/messages.ts';
export { admitMessages, passOverMessage } from './intake/pass-over.ts';
export { findHeldIntake, holdMessages, recordsStoredToday, releaseHeld } from './intake/record-budget.ts';
export { onMailboxChange } from './mailboxes/announce.ts';
export { findPressure, isFlooded } from './mailboxes/find-pressure.ts';
export { findTakenToday, type MailboxDay } from './mailboxes/mailbox-day.ts';
export { putInstallationState } from './installation/installation-state.ts';
export { addOperator, listOperators, removeOperator } from './installation/operators.ts';
export { findFinishedItems, hasOpenItems } from './mailboxes/finished-items.ts';
export { enterMails, findUnknownUids, markActed, openUidValidity } from './mailboxes/items.ts';
export {
  addMailbox,
  findMailbox,
  findMailboxAt,
  listMailboxes,
  removeMailbox,
  resumeMailbox,
  setMailboxPaused,
  type Mailbox,
  type MailboxKey,
  type MailboxWithProgress,
  type NewMailbox,
} from './mailboxes/mailboxes.ts';
export {
  holdMailbox,
  noteAttempt,
  saveFolderProgress,
  noteSuccess,
  noteTrouble,
  type Trouble,
} from './mailboxes/progress.ts';
export { resealMailboxes, type SealedSecrets } from './mailboxes/reseal.ts';
export { renewToken } from './mailboxes/token.ts';
export { findAilingMailboxes, type AilingMailbox, type Endurance } from './mailboxes/watch-mailboxes.ts';
export { findNotifications, type NotificationRow } from './notifications/notification-log.ts';
export { planNotifications, type NotificationPlan } from './notifications/plan-notifications.ts';
export { resealTargets } from './notifications/reseal-targets.ts';
export { addTarget, type NewTarget } from './notifications/add-target.ts';
export {
  disableTarget,
  findTarget,
  listTargets,
  removeTarget,
  type Target,
  type TargetKey,
  wasAddedAgain,
} from './notifications/targets.ts';
export {
  beginTry,
  endTry,
  extendTry,
  type BegunTry,
  type EndedTry,
  type NotificationKey,
} from './notifications/tries.ts';
export { createLink, type OneTimeLink } from './people/links.ts';
export { markSamples } from './people/own-organization.ts';
export { ensurePerson, findMemberships } from './people/people.ts';
export { findDatabaseIdentity } from './purge/database-identity.ts';
export { finishPurge, finishSweep, keepPurging, planPurges, type PurgePlan } from './purge/plan-purges.ts';
export {
  countBytes,
  countDeliveries,
  countReports,
  purgeBytes,
  removeDeliveries,
  type PurgedBytes,
} from './purge/remove-deliveries.ts';
export {
  endOrganization,
  findLeaving,
  leaveOrganization,
  organizationTables,
  removeRows,
} from './purge/remove-organization.ts';
export { countOthers, removeOthers, type OtherKind, type RemovedOthers } from './purge/remove-others.ts';
export { removeDetails } from './purge/remove-details.ts';
export { removeReports, type RemovedReports } from './purge/remove-reports.ts';
export { areBytesGone, letStrayBytesGo, reclaimBytes, removeBlobs } from './purge/removed-blobs.ts';
export { cutoffsOf, type Cutoffs, type Retention } from './purge/retention.ts';
export { dropCopy, removeReport } from './replay/drop-copy.ts';
export { endUnchanged, holdCounted, judgeAgain, putWarnings, warningsBeside } from './replay/end-reread.ts';
export { countUndoneBefore, countUnsettled, measureReports, type MeasuredReport } from './replay/measure-reports.ts';
export { type BroughtBefore, dropBrought, findBroughtBefore } from './replay/brought-before.ts';
export { lowerCopies } from './replay/lower-copies.ts';
export { requeueCounted, requeueDeliveries, requeueRepeats } from './replay/requeue-deliveries.ts';
export {
  countCopiesOpen,
  countEnded,
  countOpen,
  findEnded,
  findEndings,
  type EndedMessage,
  type ReplayScope,
} from './replay/scope.ts';
export { findStored, type StoredReport } from './replay/stored-report.ts';
export { openDimensions, type Dimensions } from './reports/dimensions.ts';
export { holdReports } from './reports/hold-reports.ts';
export { holdVersions, renewVersions, type ReportVersion } from './reports/hold-versions.ts';
export { findHeldCopies, improveCopies, type CopyWitness, type HeldContent } from './reports/improve-copies.ts';
export {
  findUnjudged,
  finishAlignment,
  finishJudgement,
  keepJudging,
  recordsOf,
  saveAlignments,
  type RecordKey,
  type RecordToJudge,
} from './reports/judge-records.ts';
export type { OtherCopy, OtherReport } from './reports/other-copy.ts';
export { recountReport } from './reports/recount-report.ts';
export type { CopyOrigin, FactsOf, RecordsWriting, ReportCopy } from './reports/report-facts.ts';
export { isReportHeld } from './reports/report-held.ts';
export { saveClasses } from './reports/save-classes.ts';
export {
  findCopiesOf,
  markSettled,
  type HeldReport,
  type HeldRevision,
  type Settlement,
} from './reports/settle-copies.ts';
export { takeFirstStatistics } from './reports/first-statistics.ts';
export { storeOther } from './reports/store-other.ts';
export { addCopies, type Kept } from './reports/add-copies.ts';
export { storeReports, storeStreamed, type Stored, type WholeCopy } from './reports/store-reports.ts';
export { TOTAL_LIMIT } from './reports/total-limit.ts';
export { indexLongList } from './rollups/index-sources.ts';
export { noteChanges } from './rollups/note-changes.ts';
export { repairDirtyKeys } from './rollups/repair-rollups.ts';
export {
  findSnapshotState,
  findToday,
  finishSnapshots,
  planSnapshots,
  postponeSnapshots,
  saveSnapshots,
  type SnapshotPlan,
} from './scores/snapshots.ts';
export { saveSignatures, type ReportSignatures } from './signatures/save-signatures.ts';
export { findSignatureEvidence, type SignatureEvidence, type SignedRecord } from './signatures/signature-evidence.ts';
export {
  classifyAgain,
  findReportsToClassify,
  findReportsWithFailures,
  findUnjudgedSignatures,
  finishSignatures,
  type ReportCursor,
  type SignedPage,
} from './signatures/unjudged-signatures.ts';
export { findBudgetLeft, takeCall, saveBudget } from './sources/budgets.ts';
export { findKnownResults } from './sources/known-results.ts';
export { noteSources, type NamedSource } from './sources/note-sources.ts';
export { planLookups, takeInHand, type LookupPlan } from './sources/plan-lookups.ts';
export { recordsOfSources } from './sources/records-of-sources.ts';
export { findVolumes, putOffLookups, saveFacts, type FoundFacts } from './sources/save-facts.ts';
export { findMailGroups, mailGroup, saveStandings, type Standing } from './sources/standings.ts';
export {
  announceJudgement,
  announceRejudgement,
  findUncountedSources,
  findUnjudgedSources,
  finishSources,
  holdOffJudgement,
  holdUnjudgedSources,
} from './sources/unjudged-sources.ts';
export { claimZoneTests, findZones, saveZone } from './sources/zones.ts';
export { findTicketOwner, takeTicket } from './uploads/tickets.ts';
export { beginUpload, endUpload, enlargeUpload, type UploadKey, type UploadUse } from './uploads/under-way.ts';
export { addUsage } from './usage/add-usage.ts';
export { findQuotaUse, type QuotaUse } from './usage/quota-use.ts';
