// Import of files, with the workers that process them, for commands without services.
export { ingestPaths, type IngestNeeds } from './ingest-paths.ts';
export type { IngestSummary } from './ingest-summary.ts';
export { startHelpers } from './helpers.ts';
export { takeInSamples } from './sample-intake.ts';
