export { cloneDatabase, emptyDatabase, type ClonedDatabase } from './clone-database.ts';
export { countEverything } from './count-everything.ts';
export { givenMany, type Many } from './given-many.ts';
export { givenReports } from './given-reports.ts';
export type { GivenRecord } from './given-record.ts';
export type { GivenReport } from './given-report.ts';
export { redisServer, type RedisServer } from './redis-server.ts';
