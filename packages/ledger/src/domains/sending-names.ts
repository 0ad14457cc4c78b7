import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';

/** Returns names below a domain that mail was sent from since a day: newest first, then by messages. */
export async function findSendingNames(
  db: Db,
  orgId: string,
  domainId: string,
  { since, limit }: { since: Day; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('sending_subdomain')
    .select('name')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>=', since)
    .orderBy('day', 'desc')
    .orderBy('messages', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}
