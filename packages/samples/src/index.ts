export { zipped } from './containers.ts';
export type { SampleFile, SampleRecord } from './facts.ts';
export { reporters, sendReport } from './reporters.ts';
export { sampleAddress, type SampleAddress, sampleHistory, sampleOrganization, sampleZone } from './sample-facts.ts';
export type { SampleFinding } from './sample-domain.ts';
export { sampleReports } from './sample-reports.ts';
export { sampleTlsReports } from './tls-reports.ts';
export { dkimKey, revokedDkimKey, type SampleZone, shortDkimKey } from './zone.ts';
