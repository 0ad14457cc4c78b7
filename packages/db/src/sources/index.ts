export { addressFacts, judgedBy, senderOf, sourceFacts } from './address-facts.ts';
export { findBudgetLeft, takeCall, tellBudget } from './budgets.ts';
export { noteSources, type NamedSource } from './note-sources.ts';
export { NO_ORG } from './awaited-addresses.ts';
export { planLookups, takeInHand, type LookupPlan } from './plan-lookups.ts';
export { recordsOfSources } from './records-of-sources.ts';
export {
  findEnrichments,
  findVolumes,
  putOffLookups,
  saveFacts,
  type Enrichment,
  type FoundFacts,
} from './save-facts.ts';
export {
  findMailGroups,
  findStandings,
  mailGroup,
  saveStandings,
  type SourceStanding,
  type Standing,
} from './standings.ts';
export {
  announceJudgement,
  announceRejudgement,
  findUnjudgedSources,
  finishSources,
  holdUnjudgedSources,
  JUDGED_AT_ONCE,
  type UnjudgedSource,
} from './unjudged-sources.ts';
export { claimZoneTests, findZones, saveZone, type ZoneKey } from './zones.ts';
