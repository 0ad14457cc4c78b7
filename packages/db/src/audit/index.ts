export { findDrift, type Drift } from './audit.ts';
export { judgedRecords, type JudgedRecord } from './judged-records.ts';
export { rebuildRollups } from './rebuild-rollups.ts';
export { findSpotDrift, nextOrgToCheck, type SpotCheck } from './spot-check.ts';
export { sampleCopies, type SampledCopy } from './sample-copies.ts';
