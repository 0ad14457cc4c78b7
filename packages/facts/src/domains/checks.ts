import type { Db, DomainCheckTable } from '@dmarc-ledger/schema';
import type { Selectable } from 'kysely';

export type StoredCheck = Selectable<DomainCheckTable>;

export async function findChecks(db: Db, orgId: string, domainId: string): Promise<StoredCheck[]> {
  return await db
    .selectFrom('domain_check')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .execute();
}
