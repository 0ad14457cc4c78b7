export { findDrift, rebuildRollups, type Drift } from './audit.ts';
export { findSpotDrift, nextOrgToCheck, type SpotCheck } from './spot-check.ts';
export { sampleCopies, type SampledCopy } from './sample-copies.ts';
