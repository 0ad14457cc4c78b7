export { enforcementTexts, fixOf } from './enforcement-texts.ts';
export {
  isEnoughData,
  judgeEnforcement,
  verdictOf,
  type EnforcementVerdict,
  type WindowFacts,
} from './judge-enforcement.ts';
export {
  effectivePolicies,
  nextStep,
  pathStages,
  stagesOf,
  recordAt,
  stageOf,
  tagsAt,
  tagsOfPolicy,
  tagsOfStep,
  type AppliedPolicy,
  type PathStage,
} from './path.ts';
export { addressFor, permissionRecords, type PermissionRecord } from './permissions.ts';
export { EXAMPLE_ADDRESS, ownAddressText, pathTexts } from './path-texts.ts';
export {
  judgeReadiness,
  readinessTopics,
  type ReadinessItem,
  type ReadinessTopic,
  type RecordFacts,
  type TreeWalk,
} from './readiness.ts';
export { serviceSettings } from './service-settings.ts';
export { isOfPublicSuffix } from './suffix-record.ts';
export {
  enforcementSteps,
  judgedMail,
  type EnforcementStep,
  type Fate,
  type MailGroup,
  type PublishedPolicy,
  type Scope,
} from './step.ts';
export {
  isBlocker,
  judgedSenders,
  refusedSenders,
  SHARE_TO_BLOCK,
  stepEffects,
  type AffectedSender,
  type ByDecision,
  type SenderOfAddress,
  type StepEffect,
} from './what-if.ts';
