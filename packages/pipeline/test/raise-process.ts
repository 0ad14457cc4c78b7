import { openDatabase } from '@dmarc-ledger/schema';
import { armFailPoints } from '@dmarc-ledger/vocabulary';
import { raiseEvents } from '../src/index.ts';

/** The arguments of an evaluator process, as JSON in its first argument. */
export interface RaiseOrder {
  databaseUrl: string;
  orgId: string;
  domainIds: string[];
  /** Armed fail points; none: it ends when it has evaluated every domain. */
  faults: string;
}

// Evaluates each of the domains, to be killed on the way.
const { databaseUrl, orgId, domainIds, faults } = JSON.parse(process.argv[2]!) as RaiseOrder;
armFailPoints(faults);
const database = openDatabase(databaseUrl);
for (const domainId of domainIds) await raiseEvents({ database }, { orgId, domainId });
await database.close();
