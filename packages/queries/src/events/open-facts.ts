import type { Db } from '@dmarc-ledger/schema';

/** What an open event of a domain found. */
export interface OpenFact {
  type: string;
  title: string;
  message: string;
  /** Unique among the conditions of the organization; has the parts that its type adds. */
  key: string;
}

/** More than the open items of a domain that a page shows have. */
const MOST = 200;

/** What the open events of a domain found, in the order of the feed. */
export async function findOpenFacts(db: Db, orgId: string, domain: string): Promise<OpenFact[]> {
  return await db
    .selectFrom('event')
    .select(['type', 'title', 'message', 'dedup_key as key'])
    .where('org_id', '=', orgId)
    .where('domain', '=', domain)
    .where('resolved_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
}
