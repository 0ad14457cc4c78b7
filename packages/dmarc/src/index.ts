export { alignedOutcomes, alignRecord, isAligned, type RecordAlignment } from './alignment.ts';
export {
  classifyRecord,
  receiverSaysForwarded,
  type Classification,
  type RecordClass,
  type SourceFacts,
} from './classification.ts';
export { contactDomains } from './known-receivers.ts';
export { findContradictions, type Contradiction } from './contradiction.ts';
export { isImproved, isWeaker, strongest, type MailEvidence } from './mail-evidence.ts';
export { publicSuffixDomains, type OrganizationalDomain } from './organizational-domain.ts';
export type {
  AlignmentMode,
  AuthResults,
  DkimResult,
  DkimResultValue,
  Identifiers,
  Outcome,
  OverrideReason,
  Policy,
  PolicyEvaluated,
  PolicyPublished,
  ReasonType,
  ReportHeader,
  ReportMetadata,
  ReportRecord,
  SpfResult,
  SpfResultValue,
} from './report.ts';
export { countedReporter, type CountedReporter } from './counted-reporter.ts';
export { recordVerdict, type RecordVerdict, type StoredJudgement } from './record-verdict.ts';
export { isFromReporter, passedDmarc, type MailFacts, type MethodFact } from './report-mail.ts';
export { reporterDomain, reporterKey, statedReporter, type ReporterFields } from './reporter.ts';
export { reportDay } from './report-day.ts';
export { addRecord, failuresOf, noSums, reportResult, type ReportResult, type ReportSums } from './report-sums.ts';
export { brokenSignatures, passedSignatures, type HasPassed, type Signature } from './signatures.ts';
export { AUTHENTICATED_SHARE, classifySource, type SourceMessages } from './source-class.ts';
export { failureBucket, isCompliant, type FailureBucket } from './verdict.ts';
