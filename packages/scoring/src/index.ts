export { actionItems, dnsGaps, urgencyOf, type ActionItem, type GapFacts, type OpenEvent } from './action-items.ts';
export { emptyState, emptyStates, type EmptyFacts, type EmptyState } from './empty-state.ts';
export { isForged, loudDay, wavesOf, type LoudDay, type Wave } from './forged-mail.ts';
export { hostedCta } from './hosted-cta.ts';
export { isFullyApplied, isLocked, spfRecordsOf, type LockFacts, type SpfFinding } from './locked.ts';
export { policyStrength } from './policy-strength.ts';
export { POLICY_STEPS, STALE_DAYS } from './events/upgrade.ts';
export { isEnoughToJudge, FEWEST_TO_JUDGE, type ReadinessFacts } from './readiness.ts';
export {
  gradeOf,
  healthStateOf,
  HEALTHY,
  scoreOf,
  type Grade,
  type HealthState,
  type MessageSums,
  type Score,
} from './score.ts';
export {
  domainVerdict,
  domainVerdicts,
  orgVerdict,
  orgVerdicts,
  type DomainVerdictFacts,
  type OrgVerdictFacts,
} from './verdict.ts';
export {
  domainHealth,
  effectivePolicy,
  type DomainFacts,
  type DomainHealth,
  type KeptFinding,
  type ProtocolHealth,
} from './domain-health.ts';
export { firstDayOfSnapshots, firstSnapshotDay, type SnapshotDays } from './snapshot-days.ts';
export { SnapshotRange, type DomainHistory, type Snapshot } from './snapshots.ts';
export { openItems, type ItemFacts, recordFaultOf } from './open-items.ts';
export { type ItemsAlike } from './items-alike.ts';
export { itemsByDomain, itemsWithoutScore, type ItemDomain } from './items-by-domain.ts';
export { overview, type Overview, type OverviewCard, type OverviewDomain } from './overview.ts';
export { scoreDomains, scoreTogether, type ScoredDomain } from './score-domains.ts';
export { bulkSenderTexts } from './bulk-sender/bulk-sender-texts.ts';
export {
  bulkStates,
  judgeBulkSender,
  type BulkItem,
  type BulkSenderFacts,
  type BulkState,
} from './bulk-sender/judge-bulk-sender.ts';
export { bulkProviders, providerRules, type BulkProvider } from './bulk-sender/providers.ts';
export { bulkRequirements, requirements } from './bulk-sender/requirements.ts';
export { confidenceLevels, type ConfidenceLevel } from './coverage/confidence-level.ts';
export { confidenceOf, confidenceOfPart, type Confidence, type RateSums } from './coverage/confidence.ts';
export { coverageTexts } from './coverage/coverage-texts.ts';
export { reporterStates } from './coverage/coverage.ts';
export type {
  Coverage,
  CoverageDay,
  CoverageDays,
  CoverageReporter,
  ReporterDay,
  ReporterFacts,
  ReporterState,
  SilentReporter,
} from './coverage/coverage.ts';
export { judgeCoverage } from './coverage/judge-coverage.ts';
export { chanceOfSilence } from './coverage/silence.ts';
export { type DayFigures } from './events/baseline.ts';
export type { CheckFact, SeenRecords } from './events/checks.ts';
export {
  daysOfOwnMail,
  daysToLookInto,
  judgeDays,
  quietDays,
  type DayFacts,
  type DoubtfulMail,
  type OpenDrop,
  type OwnDays,
} from './events/days.ts';
export { decide, gravest, type Decision, type KnownCondition } from './events/decide.ts';
export { eventTexts } from './events/event-texts.ts';
export { adviceOf } from './event-advice.ts';
export { holding, keyOf, over, type Holding, type Judgement } from './events/judgement.ts';
export { judgeKey, judgeQuota, judgeUnread } from './events/organization.ts';
export { judgeReported, reportedConditions, type ReportedDomains, type ReportOfOtherKind } from './events/reported.ts';
export { isFailingTls, spamRate } from './events/other-reports.ts';
export { rearmOf, rememberedForEver, type Rearm } from './events/rearm.ts';
export { judgeRecords, type RecordFacts } from './events/records.ts';
export {
  discovered,
  judgeArrival,
  judgeNames,
  SILENCE_MS,
  type ArrivalFacts,
  type SeenName,
} from './events/reports.ts';
export { judgeSource, type ListedSeverity, type SourceFacts } from './events/sources.ts';
export {
  evidenceAgainst,
  evidenceCodes,
  type EvidenceFacts,
  type MailSince,
  type NewEvidence,
} from './senders/new-evidence.ts';
export { suggestDecision, type SenderFacts, type Suggestion } from './senders/suggestion.ts';
export { judgeUpgrade } from './events/upgrade.ts';
