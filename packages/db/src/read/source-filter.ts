import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Condition } from './sorted-list.ts';
import { contains } from './text-match.ts';
import { findDomainId, findDomainTotal, findOrgTotal, type Total } from './totals.ts';

export interface SourceFilter {
  /** Exact, normalized. */
  domain?: string;
  /** Part of the address, or of the name of a domain that it sends as. */
  search?: string;
  hasFailures?: boolean;
}

/** Which rollup answers, under which conditions, and how many rows meet them where kept counts can tell. */
export interface SourceScope {
  /** Undefined: the organization as a whole. */
  domainId?: string;
  where: Condition[];
  total?: number;
}

/** Undefined when nothing can match. */
export async function resolveSourceFilter(db: Db, orgId: string, { domain, search, hasFailures }: SourceFilter): Promise<SourceScope | undefined> {
  const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
  if (domain !== undefined && domainId === undefined) return undefined;
  const held = domainId === undefined ? await findOrgTotal(db, orgId) : await findDomainTotal(db, orgId, domainId);
  const where: Condition[] = [sql`list.org_id = ${orgId}`];
  if (domainId !== undefined) where.push(sql`list.domain_id = ${domainId}`);
  if (hasFailures) where.push(domainId === undefined ? sql`auth_failures > 0` : sql`(spf_pass < messages or dkim_pass < messages)`);
  const found = search === undefined ? undefined : await searchCondition(db, orgId, search, { domain, domainId, held });
  if (found) where.push(found);
  return { domainId, where, total: found ? undefined : hasFailures ? held.failingSources : held.sources };
}

/** Undefined when the search leaves nothing out, because the domains that it names are all there are. */
async function searchCondition(
  db: Db, orgId: string, search: string, { domain, domainId, held }: { domain?: string; domainId?: string; held: Total },
): Promise<Condition | undefined> {
  const pattern = contains(search);
  const address: Condition = sql`(host(list.source_ip) ilike ${pattern}${spelling(domainId, pattern)})`;
  if (domain !== undefined) return domain.includes(search.toLowerCase()) ? undefined : address;
  const named = await findSendingDomains(db, orgId, pattern);
  if (named.length > 0 && named.length === held.domains) return undefined;
  if (named.length === 0) return address;
  return sql`(${address} or list.source_ip in (
    select source_ip from source_domain where org_id = ${orgId} and domain_id = any(${named}::uuid[])))`;
}

/** The organization's rollup keeps the newest report's own spelling, which is what is shown. */
function spelling(domainId: string | undefined, pattern: string) {
  return domainId === undefined ? sql` or list.source_text ilike ${pattern}` : sql``;
}

async function findSendingDomains(db: Db, orgId: string, pattern: string): Promise<string[]> {
  const rows = await db
    .selectFrom('domain')
    .innerJoin('domain_total as total', (join) => join.onRef('total.org_id', '=', 'domain.org_id').onRef('total.domain_id', '=', 'domain.id'))
    .select('domain.id')
    .where('domain.org_id', '=', orgId)
    .where('total.reports', '>', 0)
    .where('domain.name', 'ilike', pattern)
    .execute();
  return rows.map(({ id }) => id);
}
