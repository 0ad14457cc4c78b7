export { addDomain, findMonitored, removeDomain, type MonitoredOptions } from './monitored.ts';
export {
  findCheckChanges,
  findCheckedDomain,
  findChecks,
  saveChecks,
  type CheckedDomain,
  type DomainOutcome,
  type NewCheck,
  type StoredCheck,
} from './checks.ts';
export { planChecks, type CheckPlan } from './plan-checks.ts';
export { findSelectors, noteSelectors, noteSubdomains, type SeenSelector, type SeenSubdomain } from './selectors.ts';
export {
  findDomainName,
  findHealth,
  planHealth,
  type HealthPlan,
  saveHealth,
  type DomainHealthBody,
  type HeldHealth,
} from './health.ts';
