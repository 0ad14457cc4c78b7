import type { Db } from '@dmarc-ledger/schema';

/** A check says what is published for so many days. (rules, scores/effective-policy) */
const GOOD_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Returns the names of an organization's domains to which no DMARC record applies: a check of the last week has found
 * that neither they nor a parent have one. What reports say of their policy is what was published before.
 */
export async function findUnpublished(
  db: Db,
  orgId: string,
  { now, domainId }: { now: Date; domainId?: string },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('domain_check as c')
    .innerJoin('domain as d', (join) => join.onRef('d.org_id', '=', 'c.org_id').onRef('d.id', '=', 'c.domain_id'))
    .select('d.name')
    .where('c.org_id', '=', orgId)
    .$if(domainId !== undefined, (query) => query.where('c.domain_id', '=', domainId ?? ''))
    .where('c.subject', '=', 'dmarc')
    .where('c.status', '=', 'error')
    .where('c.has_record', '=', false)
    .where('c.checked_at', '>', new Date(now.getTime() - GOOD_DAYS * DAY_MS))
    .execute();
  return new Set(rows.map(({ name }) => name));
}
