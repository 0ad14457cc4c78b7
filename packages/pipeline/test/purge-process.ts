import { cutoffsOf } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { armFailPoints } from '@dmarc-ledger/vocabulary';
import { purgeLedger } from '../src/index.ts';

// A purge process, to be killed.
const [databaseUrl, orgId, failPoints] = process.argv.slice(2) as [string, string, string];
armFailPoints(failPoints);
const database = openDatabase(databaseUrl);
const retention = { days: 400, rawDays: 90, failureReportDays: 30 };
await purgeLedger(database, orgId, await cutoffsOf(database.db, retention));
await database.close();
