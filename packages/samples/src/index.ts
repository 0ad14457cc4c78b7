export { zipped } from './containers.ts';
export type { SampleFile } from './facts.ts';
export { sampleReports } from './sample-reports.ts';
