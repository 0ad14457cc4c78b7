import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { AbuseStatusName } from '../tables/index.ts';
import type { Condition } from './sorted-list.ts';
import { findRated, hasStanding } from './rated-sources.ts';
import { searchSources, searchSourcesOf, type SourceSearch } from './source-search.ts';
import { findDomainId, findDomainTotal, findOrgTotal } from './totals.ts';

export interface SourceFilter {
  /** Exact, normalized. */
  domain?: string;
  /** Part of the address, of the name of a domain that it sends as, or of a service's name. */
  search?: string;
  /** Slugs of the services whose name the search finds. */
  services?: readonly string[];
  reputation?: AbuseStatusName;
  hasFailures?: boolean;
}

/** Which rollup answers, under which conditions, and how many rows meet them where kept counts can tell. */
export interface SourceScope {
  /** Undefined: the organization as a whole. */
  domainId?: string;
  where: Condition[];
  /** The conditions name few sources, one by one. */
  gathered: boolean;
  total?: number;
}

/** Undefined when nothing can match. */
export async function resolveSourceFilter(
  db: Db,
  orgId: string,
  filter: SourceFilter,
): Promise<SourceScope | undefined> {
  const { domain, search, hasFailures, reputation, services = [] } = filter;
  const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
  if (domain !== undefined && domainId === undefined) return undefined;
  const held = domainId === undefined ? await findOrgTotal(db, orgId) : await findDomainTotal(db, orgId, domainId);
  const found =
    search === undefined
      ? everything
      : domain === undefined
        ? await searchSources(db, orgId, search, services, held)
        : searchSourcesOf(domain, search, services);
  if (found.kind === 'none') return undefined;
  const rated = reputation === undefined ? undefined : await findRated(db, orgId, reputation);
  if (rated?.sources === 0) return undefined;
  const where: Condition[] = [sql`list.org_id = ${orgId}`];
  if (domainId !== undefined) where.push(sql`list.domain_id = ${domainId}`);
  if (hasFailures)
    where.push(domainId === undefined ? sql`auth_failures > 0` : sql`(spf_pass < messages or dkim_pass < messages)`);
  if (rated?.addresses) where.push(sql`list.source_ip = any(${rated.addresses}::inet[])`);
  else if (reputation !== undefined) where.push(hasStanding(sql`s.abuse_status = ${reputation}`));
  const gathered = rated?.addresses !== undefined;
  if (rated && found.kind === 'all') {
    const isAll = domainId === undefined && !hasFailures;
    return { domainId, where, gathered, total: isAll ? rated.sources : undefined };
  }
  if (found.kind === 'all')
    return { domainId, where, gathered: false, total: hasFailures ? held.failingSources : held.sources };
  if (found.kind === 'some') return { domainId, where: [...where, found.condition], gathered };
  where.push(sql`list.source_ip = any(${found.addresses}::inet[])`);
  return { domainId, where, gathered: true, total: hasFailures || rated ? undefined : found.addresses.length };
}

const everything: SourceSearch = { kind: 'all' };
