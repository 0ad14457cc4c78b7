import { type Database, type Statement, transact } from '@dmarc-ledger/schema';
import { failPoint } from '@dmarc-ledger/vocabulary';
import { makeDomainsHealthDue } from '../due-work/health-due.ts';
import { watchSources } from '../due-work/watch-changes.ts';
import {
  countSources,
  dropEmptySourceDomainDays,
  dropEmptySourceDomains,
  forgetSources,
  holdSourceDomainDays,
  holdSourceDomains,
  holdSourceTotals,
  holdTotals,
  sumSourceDomainDays,
  sumSourceDomains,
  sumSourceTotals,
  takeDirtyKeys,
} from './repair-statements.ts';

/** From the lowest level up; within a level: lock, sum, delete empty rows. */
const STEPS: readonly Statement[] = [
  holdSourceDomainDays,
  sumSourceDomainDays,
  dropEmptySourceDomainDays,
  holdSourceDomains,
  sumSourceDomains,
  dropEmptySourceDomains,
  holdSourceTotals,
  sumSourceTotals,
  forgetSources,
];

/**
 * Recomputes some dirty keys of an organization, level by level, each from the level below. Returns how many; zero
 * means that none are left. May run beside writers and other repairs. The rules look at these sources again, and the
 * health of their domains is computed again: both may have read the sums before they were there.
 */
export async function repairDirtyKeys(database: Database, orgId: string, limit: number): Promise<number> {
  return await transact(database, async (session) => {
    const keys = await session.run<{ source_ip: string; day: string; domain_id: string }>(takeDirtyKeys, [
      orgId,
      limit,
    ]);
    if (keys.length === 0) return 0;
    const domainIds = [...new Set(keys.map(({ domain_id }) => domain_id))].toSorted();
    for (const step of STEPS) await session.run(step, [orgId, JSON.stringify(keys)]);
    const addresses = [...new Set(keys.map(({ source_ip }) => source_ip))];
    await watchSources(session, orgId, addresses);
    await session.run(holdTotals, [orgId, domainIds]);
    await session.run(countSources, [orgId, domainIds]);
    await makeDomainsHealthDue(session, orgId, domainIds);
    await failPoint('F15');
    return keys.length;
  });
}
