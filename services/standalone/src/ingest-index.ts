// Taking files in and seeing the work done, for those who serve nobody.
export { ingestPaths, type IngestNeeds, type IngestSummary } from './ingest-paths.ts';
export { startHelpers } from './helpers.ts';
export { takeInSamples } from './sample-intake.ts';
