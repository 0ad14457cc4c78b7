export { zipped } from './containers.ts';
export type { SampleFile } from './facts.ts';
export { sampleAddress, type SampleAddress, sampleOrganization, sampleZone } from './sample-facts.ts';
export { sampleReports } from './sample-reports.ts';
export type { SampleZone } from './zone.ts';
