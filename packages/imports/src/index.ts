export { ImportError } from './import-error.ts';
export { isZone } from './instants.ts';
export { type Found, type KeptReport, unreadable, type UnreadableCode } from './kept-report.ts';
export { readParsedmarcFiles } from './parsedmarc/read-files.ts';
export { reportXml } from './report-xml.ts';
export { openSource, type SourceDatabase } from './databases/open-source.ts';
export { readDmarcSrg } from './databases/read-dmarc-srg.ts';
export { readDmarcts } from './databases/read-dmarcts.ts';
export { readParsedmarcTables } from './databases/read-parsedmarc-tables.ts';
