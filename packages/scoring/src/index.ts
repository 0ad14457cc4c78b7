export {
  actionItems,
  dnsGaps,
  type ActionItem,
  type GapFacts,
  type GapFinding,
  type OpenEvent,
} from './action-items.ts';
export { emptyState, type EmptyFacts, type EmptyState } from './empty-state.ts';
export { hostedCta } from './hosted-cta.ts';
export { policyStrength, type EffectivePolicy, type PolicyName } from './policy-strength.ts';
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
export { domainVerdict, orgVerdict, type DomainVerdictFacts, type OrgVerdictFacts } from './verdict.ts';
export {
  domainHealth,
  effectivePolicy,
  healthProtocols,
  type DomainFacts,
  type DomainHealth,
  type HealthProtocol,
  type KeptFinding,
  type ProtocolHealth,
} from './domain-health.ts';
export { firstSnapshotDay, type SnapshotDays } from './snapshot-days.ts';
export { SnapshotRange, type DomainHistory, type Snapshot } from './snapshots.ts';
export { openItems, type ItemFacts } from './open-items.ts';
export { overview, type ItemDomain, type Overview, type OverviewCard, type OverviewDomain } from './overview.ts';
export { scoreDomains, scoreTogether, type ScoredDomain } from './score-domains.ts';
