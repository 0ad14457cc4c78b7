import type { Db } from '@dmarc-ledger/schema';
import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { findDomainsLike, isDomainLike } from '../domains/name-match.ts';
import type { Total } from '../domains/totals.ts';
import type { Condition } from '../lists/sorted-list.ts';
import { contains } from '../lists/text-match.ts';
import { countAddresses, countNamed, gatherNamed } from './named-sources.ts';
import { ofServices } from './rated-sources.ts';

/** The result of a search over sources: no condition, services, a condition, or the few addresses that it finds. */
export type SourceSearch =
  | { kind: 'all' }
  | { kind: 'none' }
  /** Only services match. */
  | { kind: 'services' }
  /** `condition` is fast for few sources; `ofAll` means the same and is fast for all; `count`: how many meet it. */
  | { kind: 'some'; condition: Condition; ofAll: Condition; count?: () => Promise<number> }
  | { kind: 'few'; addresses: string[] };

/** A part of a text, and the services (by slug) whose names contain it. */
interface SourceQuestion {
  search: string;
  services: readonly string[];
}

interface SendingDomain {
  id: string;
  sources: number;
}

const PART_OF_ADDRESS = /^[0-9a-f.:]+$/i;
/** The found sources are collected up to this number; beyond it, each source is tested. */
const FEW_SOURCES = 5_000;

/** Searches sources by a part of their address, of a domain's name, or of their service's name (by slugs). */
export async function searchSources(
  db: Db,
  orgId: string,
  { search, services }: SourceQuestion,
  held: Total,
): Promise<SourceSearch> {
  const domains = await findSendingDomains(db, orgId, search);
  if (domains.length > 0 && domains.length === held.domains) return { kind: 'all' };
  const address = addressPattern(search);
  if (address === undefined && domains.length === 0) return { kind: services.length === 0 ? 'none' : 'services' };
  const ids = domains.map(({ id }) => id);
  const ofDomains = domains.reduce((sum, { sources }) => sum + sources, 0);
  const named = { address, domainIds: ids, services };
  const addresses = ofDomains <= FEW_SOURCES ? await gatherNamed(db, orgId, named, FEW_SOURCES) : undefined;
  if (addresses) return addresses.length > 0 ? { kind: 'few', addresses } : { kind: 'none' };
  const beside = [
    ...(address === undefined ? [] : [addressLike(address)]),
    ...(services.length > 0 ? [ofServices(orgId, services, false)] : []),
  ];
  const [asked, gathered] = ids.length > 0 ? [[sendsAs(ids)], [isSenderAs(orgId, ids)]] : [[], []];
  const found = {
    kind: 'some',
    condition: anyOf([...beside, ...asked]),
    ofAll: anyOf([...beside, ...gathered]),
  } as const;
  if (address !== undefined) {
    const isAlone = ids.length === 0 && services.length === 0;
    return isAlone ? { ...found, count: () => countAddresses(db, orgId, address) } : found;
  }
  const isOneDomain = ids.length === 1 && services.length === 0;
  return { ...found, count: isOneDomain ? async () => ofDomains : () => countNamed(db, orgId, named) };
}

/** Searches the sources of one domain, whose own name may match. */
export function searchSourcesOf(orgId: string, domain: string, { search, services }: SourceQuestion): SourceSearch {
  if (isDomainLike(domain, search)) return { kind: 'all' };
  const address = addressPattern(search);
  const canonical = address === undefined ? [] : [sql<boolean>`host(list.source_ip) ilike ${address}`];
  const either = [...canonical, ...(services.length > 0 ? [ofServices(orgId, services, true)] : [])];
  if (either.length === 0) return { kind: 'none' };
  const [asked, gathered] = address === undefined ? [[], []] : [[isSpelled(address)], [isSpelledIn(orgId, address)]];
  return { kind: 'some', condition: anyOf([...either, ...asked]), ofAll: anyOf([...either, ...gathered]) };
}

/** Returns the pattern of a part of an address; an address in full is searched in its canonical form. */
function addressPattern(search: string): string | undefined {
  return PART_OF_ADDRESS.test(search) ? contains(canonicalIp(search) ?? search) : undefined;
}

/** The organization's rollup has the newest report's spelling, which is displayed. */
function addressLike(pattern: string): Condition {
  return sql`(host(list.source_ip) ilike ${pattern} or list.source_text ilike ${pattern})`;
}

/** The spelling of reports is held for the organization. This tests one source of a domain. */
function isSpelled(pattern: string): Condition {
  return sql`coalesce((select source_text ilike ${pattern} from source_total as named
    where named.org_id = list.org_id and named.source_ip = list.source_ip limit 1), false)`;
}

/** The same as one set, computed once for all sources. */
function isSpelledIn(orgId: string, pattern: string): Condition {
  return sql`list.source_ip in (select source_ip from source_total where org_id = ${orgId}
    and source_text is not null and source_text ilike ${pattern})`;
}

/** `limit` keeps this a test of one source, which a sorted walk runs until its page is full. */
function sendsAs(domainIds: string[]): Condition {
  return sql`coalesce((select true from source_domain as sent
    where sent.org_id = list.org_id and sent.source_ip = list.source_ip
      and sent.domain_id = any(${domainIds}::uuid[]) limit 1), false)`;
}

/** The same as one set, computed once for all sources. */
function isSenderAs(orgId: string, domainIds: string[]): Condition {
  return sql`list.source_ip in (select source_ip from source_domain where org_id = ${orgId}
    and domain_id = any(${domainIds}::uuid[]))`;
}

function anyOf(conditions: Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` or `)})`;
}

async function findSendingDomains(db: Db, orgId: string, part: string): Promise<SendingDomain[]> {
  const ids = await findDomainsLike(db, orgId, part);
  if (ids.length === 0) return [];
  return await db
    .selectFrom('domain_total')
    .select(['domain_id as id', 'sources'])
    .where('org_id', '=', orgId)
    .where('reports', '>', 0)
    .where(sql<boolean>`domain_id = any(${ids}::uuid[])`)
    .execute();
}
