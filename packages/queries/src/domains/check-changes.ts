import type { Db, Tables } from '@dmarc-ledger/schema';
import type { Selectable } from 'kysely';

/** A change that a check of a domain has seen: the finding, and the status of the one before. */
export type CheckChange = Selectable<Tables['domain_check_change']>;

/** Returns the changes that checks of a domain have seen, at most `limit`, newest first. */
export async function findCheckChanges(db: Db, orgId: string, domainId: string, limit: number): Promise<CheckChange[]> {
  return await db
    .selectFrom('domain_check_change')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
