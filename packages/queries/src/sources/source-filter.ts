import type { RecordClass } from '@dmarc-ledger/dmarc';
import type { AbuseStatusName, Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findDomainId, findDomainTotal, findOrgTotal } from '../domains/totals.ts';
import type { Condition } from '../lists/sorted-list.ts';
import { isOfSender } from './sender-condition.ts';
import { isOfClass } from './source-class-condition.ts';
import { findByStanding } from './rated-sources.ts';
import { searchSources, searchSourcesOf, type SourceSearch } from './source-search.ts';

export interface SourceFilter {
  /** An exact, normalized name. */
  domain?: string;
  /** A part of the address, of a domain's name, or of a service's name. */
  search?: string;
  /** Slugs of the services whose name matches the search. */
  services?: readonly string[];
  reputation?: AbuseStatusName;
  hasFailures?: boolean;
  /** What the address is taken for, by the sums of the list. */
  class?: RecordClass;
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender?: string;
}

/**
 * The rollup to read, the conditions, and the number of rows that meet them if stored counts can tell. (rules,
 * api/filters-of-figures)
 */
export interface SourceScope {
  /** Undefined: the whole organization. */
  domainId?: string;
  where: Condition[];
  /** The same conditions, in a form that is fast for all sources. */
  whereOfAll: Condition[];
  /** True if the conditions list few sources one by one. */
  gathered: boolean;
  /** True if all sources of the organization are in the indexes that long lists are read by. */
  areIndexed: boolean;
  /** The number of rows of the organization, or of the domain. */
  unfiltered: number;
  total?: number;
}

/** Returns undefined if nothing can match. */
export async function resolveSourceFilter(
  db: Db,
  orgId: string,
  filter: SourceFilter,
): Promise<SourceScope | undefined> {
  const { domain, search, hasFailures, reputation, class: ofClass, sender, services = [] } = filter;
  const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
  if (domain !== undefined && domainId === undefined) return undefined;
  const held = domainId === undefined ? await findOrgTotal(db, orgId) : await findDomainTotal(db, orgId, domainId);
  const ofDomain = domainId !== undefined;
  const found =
    search === undefined
      ? everything
      : domain === undefined
        ? await searchSources(db, orgId, { search, services }, held)
        : searchSourcesOf(orgId, domain, { search, services });
  if (found.kind === 'none') return undefined;
  const question = { reputation, services: found.kind === 'services' ? services : undefined };
  const standing = await findByStanding(db, orgId, question, ofDomain);
  if (standing?.sources === 0) return undefined;
  const where: Condition[] = [sql`list.org_id = ${orgId}`];
  if (standing) where.push(standing.condition);
  if (ofDomain) where.push(sql`list.domain_id = ${domainId}`);
  if (hasFailures) where.push(ofDomain ? sql`(spf_pass < messages or dkim_pass < messages)` : sql`has_failures`);
  if (ofClass !== undefined) where.push(isOfClass(ofClass));
  if (sender !== undefined) where.push(isOfSender(sender));
  if (found.kind === 'few') where.push(sql`list.source_ip = any(${found.addresses}::inet[])`);
  const gathered = found.kind === 'few' || standing?.gathered === true || sender !== undefined;
  const isSome = found.kind === 'some';
  return {
    domainId,
    where: isSome ? [...where, found.condition] : where,
    whereOfAll: isSome ? [...where, found.ofAll] : where,
    gathered,
    areIndexed: held.areSourcesIndexed,
    unfiltered: held.sources,
    total: await total(),
  };

  /** Returns the number of rows if a stored number, or a fast count, has it. */
  async function total(): Promise<number | undefined> {
    if (ofClass !== undefined || sender !== undefined) return undefined;
    const isSearched = found.kind === 'some' || found.kind === 'few';
    if (standing) return isSearched || ofDomain || hasFailures ? undefined : standing.sources;
    if (found.kind === 'all') return hasFailures ? held.failingSources : held.sources;
    if (hasFailures) return undefined;
    if (found.kind === 'some') return await found.count?.();
    return found.kind === 'few' ? found.addresses.length : undefined;
  }
}

const everything: SourceSearch = { kind: 'all' };
