export { zipped } from './containers.ts';
export type { SampleFile, SampleRecord } from './facts.ts';
export { reporters, sendReport } from './reporters.ts';
export { sampleAddress, type SampleAddress, sampleOrganization, sampleZone } from './sample-facts.ts';
export { sampleReports } from './sample-reports.ts';
export { dkimKey, type SampleZone } from './zone.ts';
