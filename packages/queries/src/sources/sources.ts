import { sumColumns } from '@dmarc-ledger/facts';
import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { countAll } from '../lists/all-rows.ts';
import { findSlice } from '../lists/find-slice.ts';
import { sliceWithFirst } from '../lists/rows-first.ts';
import { all, limitedTo, type Condition, type Page, type SortedList } from '../lists/sorted-list.ts';
import { resolveSourceFilter, type SourceFilter, type SourceScope } from './source-filter.ts';
import type { SourceListRow } from './source-row.ts';
import { sortKeyOf, type SourceSort } from './source-sort.ts';

const address = sql.ref('list.source_ip');

/**
 * Returns one page of the addresses that send as an organization's domains (or as one of them), and the number that
 * match, as of one moment.
 */
export async function findSources(db: Db, orgId: string, filter: SourceFilter, page: Page<SourceSort>) {
  return await inSnapshot(db, (snapshot) => readSources(snapshot, orgId, filter, page));
}

async function readSources(db: Db, orgId: string, filter: SourceFilter, page: Page<SourceSort>) {
  const scope = await resolveSourceFilter(db, orgId, filter);
  if (!scope) return { rows: [], total: 0 };
  const list = listOf(scope, filter, page.sortBy);
  const total = scope.total ?? (await countAll(db, list));
  const isTied = scope.domainId !== undefined && page.sortBy === 'domains';
  const direction = isTied ? 'asc' : page.direction;
  const exact = isDefaultOrder(page) ? await findExact(db, list, filter) : [];
  const addresses = await sliceWithFirst(exact, { ...page, direction }, total, async (rest) => {
    const others = exact.length === 0 ? list : limitedTo(list, [sql`not ${address} = any(${exact}::inet[])`]);
    return await findSlice(db, others, rest.slice, rest.total);
  });
  return { rows: await loadSources(db, orgId, { domain: filter.domain, domainId: scope.domainId }, addresses), total };
}

/** The list in an order: read by an index that has this order, else all that match are sorted. */
function listOf(scope: SourceScope, filter: SourceFilter, sortBy: SourceSort): SortedList {
  const key = sortKeyOf(scope, sortBy, filter.hasFailures === true);
  const isByIndex = key.indexed !== false && sortBy !== 'source_ip';
  const indexed: Condition[] = isByIndex ? [sql`list.indexed`] : [];
  return {
    table: scope.domainId !== undefined ? sql`source_domain as list` : sql`source_total as list`,
    where: [...scope.where, ...indexed],
    ofAll: { where: [...scope.whereOfAll, ...indexed] },
    filtered: isFiltered(filter),
    unfiltered: scope.unfiltered,
    key,
    id: address,
  };
}

/** True for conditions that the indexes of the orders do not cover. */
function isFiltered(filter: SourceFilter): boolean {
  return (
    filter.search !== undefined ||
    filter.hasFailures === true ||
    filter.reputation !== undefined ||
    filter.class !== undefined ||
    filter.sender !== undefined
  );
}

function isDefaultOrder({ sortBy, direction }: Page<SourceSort>): boolean {
  return sortBy === 'total_messages' && direction === 'desc';
}

/** Returns the address that the search names in full, in any of its forms. (rules, api/fuzzy-search) */
async function findExact(db: Db, { table, where }: SortedList, { search }: SourceFilter): Promise<string[]> {
  const ip = search === undefined ? undefined : canonicalIp(search);
  if (ip === undefined) return [];
  const { rows } = await sql<{ ip: string }>`
    select host(${address}) as ip from ${table} where ${all(where)} and ${address} = ${ip}::inet`.execute(db);
  return rows.map((row) => row.ip);
}

/** Returns the rows in the order of the addresses. */
async function loadSources(
  db: Db,
  orgId: string,
  { domain, domainId }: { domain?: string; domainId?: string },
  addresses: string[],
): Promise<SourceListRow[]> {
  if (addresses.length === 0) return [];
  const [rows, texts, domains] = await Promise.all([
    domainId === undefined ? selectTotals(db, orgId, addresses) : selectOfDomain(db, orgId, domainId, addresses),
    selectTexts(db, orgId, addresses),
    domain === undefined ? selectDomains(db, orgId, addresses) : new Map<string, string>(),
  ]);
  const byAddress = new Map(rows.map((row) => [row.source_ip, row]));
  return addresses.flatMap((each) => {
    const row = byAddress.get(each);
    return row
      ? { ...row, address: each, source_text: texts.get(each), domains: domain ?? domains.get(each) ?? '' }
      : [];
  });
}

async function selectTotals(db: Db, orgId: string, addresses: string[]) {
  return await db
    .selectFrom('source_total')
    .select(['source_ip', ...sumColumns])
    .where('org_id', '=', orgId)
    .where(sql<boolean>`source_ip = any(${addresses}::inet[])`)
    .execute();
}

async function selectOfDomain(db: Db, orgId: string, domainId: string, addresses: string[]) {
  return await db
    .selectFrom('source_domain')
    .select(['source_ip', ...sumColumns])
    .where('org_id', '=', orgId)
    .where(sql<boolean>`source_ip = any(${addresses}::inet[])`)
    .where('domain_id', '=', domainId)
    .execute();
}

/** Returns the newest report's spelling of addresses whose spelling is not canonical. */
async function selectTexts(db: Db, orgId: string, addresses: string[]): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('source_total')
    .select(['source_ip', 'source_text'])
    .where('org_id', '=', orgId)
    .where(sql<boolean>`source_ip = any(${addresses}::inet[])`)
    .where('source_text', 'is not', null)
    .execute();
  return new Map(rows.map(({ source_ip, source_text }) => [source_ip, source_text]));
}

/** Returns the names of the domains that the addresses send as, joined by commas. */
async function selectDomains(db: Db, orgId: string, addresses: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ source_ip: string; names: string }>`
    select source_ip, string_agg(domain.name, ',' order by domain.name collate "C") as names
    from source_domain join domain on domain.org_id = source_domain.org_id and domain.id = source_domain.domain_id
    where source_domain.org_id = ${orgId} and source_ip = any(${addresses}::inet[])
    group by source_ip`.execute(db);
  return new Map(rows.map(({ source_ip, names }) => [source_ip, names]));
}
