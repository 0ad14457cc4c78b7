export { workHandlers, type WorkNeeds } from './handlers.ts';
export { ARRIVAL_LIMIT, receiveMessages, type Arrival } from './intake/receive-messages.ts';
export { watchDiskSpace, type DiskSpace } from './intake/disk-space.ts';
export {
  openUploadBudget,
  UPLOAD_BUDGET,
  UploadBudgetError,
  type UploadBudget,
  type UploadBudgetLimits,
} from './intake/upload-budget.ts';
export type { EndedDelivery, IntakeObserver } from './intake/observer.ts';
export { runIntake } from './intake/run-intake.ts';
export type { IntakeNeeds } from './intake/intake-needs.ts';
export { takeIn, tendIntake } from './intake/take-in.ts';
export { runRelay, type RelayNeeds } from './outbox/relay.ts';
export { runSweep, type SweepNeeds } from './sweep/sweep.ts';
export { runSpotChecks, type SpotCheckNeeds } from './audit/spot-checks.ts';
export { auditJudgement, type JudgementAudit } from './audit/audit-judgement.ts';
export { auditRaw, type RawAudit } from './audit/audit-raw.ts';
export { repairRollups } from './rollups/repair-rollups.ts';
export { accessToken, secretPlace, type OauthSecret, type RequestToken } from './mailboxes/access-token.ts';
export { keepMailbox, type MailboxKeeping } from './mailboxes/keep-mailbox.ts';
export { BEARING, watchPressure, type Bearing, type Pressure } from './mailboxes/pressure.ts';
export { mailboxTexts, waitTexts } from './mailboxes/mailbox-texts.ts';
export { watchMailboxes, type WatchNeeds } from './mailboxes/watch-mailboxes.ts';
export { enrichAddresses, type EnrichNeeds } from './sources/enrich-addresses.ts';
export { openOutside, type Outside, type OutsideNeeds, type OutsideObserver } from './sources/outside.ts';
export { judgeSources } from './sources/judge-sources.ts';
export { alignReports } from './records/align-reports.ts';
export { RecentReports } from './records/recent-reports.ts';
export { Pace } from './pace.ts';
export { judgeSignatures } from './records/judge-signatures.ts';
export { classifyReports } from './records/classify-reports.ts';
export { runLookupPlan, type PlanNeeds } from './sources/plan-lookups.ts';
export { watchZones, type ZoneWatch } from './sources/zone-watch.ts';
export { sharedBudget } from './sources/shared-budget.ts';
export { previewReplay, type PreviewNeeds } from './replay/preview-replay.ts';
export { addChange, rejudgeReports, type Rejudgement } from './replay/rejudge-reports.ts';
export { requeueDelivery } from './replay/requeue-delivery.ts';
export { replayDeliveries, type ReplayNeeds } from './replay/replay-deliveries.ts';
export type { Figures, ReplaySummary } from './replay/summary.ts';
export { askDns, type AskNeeds } from './domains/ask-dns.ts';
export { checkDomain, type CheckNeeds } from './domains/check-domain.ts';
export { runCheckPlan, runHealthPlan, type CheckPlanNeeds } from './domains/plan-checks.ts';
export { computeSnapshots } from './scores/compute-snapshots.ts';
export { runSnapshotPlan } from './scores/plan-snapshots.ts';
export { raiseEvents } from './events/raise-events.ts';
export { runEventPlan } from './events/plan-events.ts';
export { lookAtOrganizations, watchOrganizations, type OrganizationWatch } from './events/watch-organizations.ts';
export { computeHealth } from './domains/compute-health.ts';
export { sendNotification, type NotificationNeeds } from './notifications/send-notification.ts';
export {
  openNotifier,
  targetSecretPlace,
  type Notifier,
  type NotifierNeeds,
  type NotificationAnswer,
} from './notifications/notifier.ts';
export { testNotice, type Notice } from './notifications/notice.ts';
export { runDigestPlan } from './notifications/plan-digests.ts';
export { sendDigest, type DigestNeeds } from './notifications/send-digest.ts';
export { runNotificationPlan } from './notifications/plan-notifications.ts';
export { purgeLedger, previewPurge, type Purged } from './purge/purge-ledger.ts';
export { purgeOrganization, type PurgeNeeds } from './purge/purge-organization.ts';
export { checkDatabase, checkWork } from './installation/check-database.ts';
export { error, ok, warning, type Finding } from './installation/finding.ts';
export { runMonthPlan } from './installation/keep-month-partitions.ts';
export { findLedgerState, watchInstallation, type InstallationWatch } from './installation/watch-installation.ts';
export { RawError } from './raw/errors.ts';
export { openRawDelivery } from './raw/open-raw-delivery.ts';
export { openRawReport } from './raw/open-raw-report.ts';
export type { RawContent } from './raw/raw-content.ts';
export { sweepBlobs } from './purge/sweep-blobs.ts';
export { runPurgePlan } from './purge/plan-purges.ts';
export { resealSecrets } from './mailboxes/reseal-secrets.ts';
