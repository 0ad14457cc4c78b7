export { findBulkSender, type BulkSender } from './bulk-sender/bulk-sender.ts';
export type { BusiestDay } from './bulk-sender/busiest-days.ts';
export {
  findCoverage,
  findCoverages,
  findOrgCoverage,
  type CoverageQuestion,
  type FoundCoverage,
} from './coverage/coverage.ts';
export { countUnprovenMessages, findUnprovenReports } from './reports/unproven-reports.ts';
export { findCheckChanges, type CheckChange } from './domains/check-changes.ts';
export { findDomains, type DomainRow } from './domains/domains.ts';
export { findHealth, type HeldHealth } from './domains/held-health.ts';
export { findKnownDomain } from './domains/known-domain.ts';
export { countRecordChanges, findRecordChanges, type RecordChange } from './domains/record-changes.ts';
export { findReportAddresses } from './domains/report-addresses.ts';
export { findPublishedPolicies, type PublishedPolicy } from './domains/published-policies.ts';
export { findDomainId, findNamedTotal, findOrgTotal } from './domains/totals.ts';
export { findDkimKeys, type DkimKeys, type DkimKeyRow } from './dns/dkim-keys.ts';
export { findServerAnswers, type NameAnswers } from './dns/server-answers.ts';
export { findSpf, type SpfReport, type SpfSenderRow } from './dns/spf-report.ts';
export { findEnforcement, type Enforcement, type EnforcementQuestion } from './enforcement/enforcement.ts';
export { enforcementReadiness } from './enforcement/readiness.ts';
export { findEnforcementStages, MOST_STAGES, type EnforcementStage } from './enforcement/stages.ts';
export { isDomainLike } from './domains/name-match.ts';
export { countOpenEvents, findEvents, type EventRow } from './events/events.ts';
export { findOpenFacts, type OpenFact } from './events/open-facts.ts';
export { countWindowSources, findChanges } from './overview/overview-facts.ts';
export { findForgedMail, type ForgedMail } from './overview/forged-mail.ts';
export { findUrgency, type Urgency } from './overview/urgency.ts';
export { findRateTrends } from './overview/rate-trends.ts';
export { findClassedDays } from './overview/classed-days.ts';
export { findDateRange, findDomainDays, findNewestReportDay, findOrgDays } from './overview/trends.ts';
export { findFailurePage, findFailureReports, findTlsReports, type FailureRow } from './reports/other-reports.ts';
export { findTlsCauses, findTlsDays, type TlsCauseSum, type TlsDay } from './reports/tls-reports.ts';
export {
  findTlsFailures,
  findTlsReport,
  type TlsFailureRow,
  type TlsReportDetail,
} from './reports/tls-report-detail.ts';
export { findTlsReportPage, type TlsCause, type TlsReportRow } from './reports/tls-report-list.ts';
export { findReportCopies, type ReportCopyRow } from './reports/report-copies.ts';
export { findReport, findWarnings, readRecords, type ReportHead, type StoredRecord } from './reports/report-detail.ts';
export { findNewestDays } from './overview/newest-days.ts';
export type { ReportDays } from './reports/report-filter.ts';
export { findReports, type ReportListRow } from './reports/reports.ts';
export type { ReportSort } from './reports/report-list.ts';
export { findSnapshots } from './scores/snapshots.ts';
export { findAddressDecisions, type AddressDecision } from './senders/address-decisions.ts';
export { findDecisionChanges, type DecisionChange } from './senders/decision-changes.ts';
export { inventorySorts, type InventorySort } from './senders/inventory-question.ts';
export { findSenders, senderIdentity, type SenderRow } from './senders/senders.ts';
export { findListResults } from './sources/list-results.ts';
export { findSource, findSourceDays, findSourceReports, type SourceDetail } from './sources/source-detail.ts';
export type { SourceListRow, SourceRow } from './sources/source-row.ts';
export { findSources } from './sources/sources.ts';
export type { SourceSort } from './sources/source-sort.ts';
export { findPlan } from './usage/plan.ts';
export { findKeyUsage, findRequests, findUsage, type KeyUsage, type UsageSums } from './usage/usage.ts';
export {
  countDeliveriesByCode,
  findDeliveries,
  findDelivery,
  type DeliveryCount,
  type DeliveryDetail,
  type DeliveryRow,
} from './settings/intake.ts';
export { findInstallation, type InstallationPartState } from './settings/installation.ts';
export { findMailboxes, type MailboxRow } from './settings/mailboxes.ts';
export {
  findNotificationPage,
  findTargets,
  type NotificationLogRow,
  type TargetRow,
} from './settings/notifications.ts';
