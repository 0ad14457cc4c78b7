import { sumColumns } from '@dmarc-ledger/facts';
import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import { canonicalIp } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { countAll } from '../lists/all-rows.ts';
import { findSlice } from '../lists/find-slice.ts';
import { sliceWithFirst } from '../lists/rows-first.ts';
import { all, limitedTo, type Condition, type Page, type SortedList, type SortKey } from '../lists/sorted-list.ts';
import { resolveSourceFilter, type SourceFilter, type SourceScope } from './source-filter.ts';
import type { SourceListRow } from './source-row.ts';

const address = sql.ref('list.source_ip');

const sortKeys = {
  total_messages: { expression: sql.ref('list.messages'), type: 'bigint', nullable: false },
  source_ip: { expression: address, type: 'inet', nullable: false },
  first_seen: { expression: sql.ref('list.first_seen'), type: 'timestamptz', nullable: true },
  last_seen: { expression: sql.ref('list.last_seen'), type: 'timestamptz', nullable: true },
  compliance: { expression: sql.ref('list.compliance'), type: 'integer', nullable: false },
  auth_failures: { expression: sql.ref('list.auth_failures'), type: 'bigint', nullable: false },
  domains: { expression: sql.ref('list.domains'), type: 'integer', nullable: false },
} satisfies { [name: string]: SortKey };

export type SourceSort = keyof typeof sortKeys;

/**
 * The rollup of one domain derives these columns. All its sources have the same domain, so sorting by it makes them all
 * ties.
 */
const sortKeysOfDomain: { [name in SourceSort]: SortKey } = {
  total_messages: sortKeys.total_messages,
  source_ip: { ...sortKeys.source_ip, indexed: false },
  first_seen: { ...sortKeys.first_seen, indexed: false },
  last_seen: { ...sortKeys.last_seen, indexed: false },
  compliance: {
    expression: sql`compliance_of(list.compliant, list.messages)`,
    type: 'integer',
    nullable: false,
    indexed: false,
  },
  auth_failures: {
    expression: sql`(2 * list.messages - list.spf_pass - list.dkim_pass)`,
    type: 'bigint',
    nullable: false,
    indexed: false,
  },
  domains: { ...sortKeys.source_ip, indexed: false },
};

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

/**
 * The list in an order: read by an index that has this order, else all that match are sorted. The order of addresses is
 * that of the table's key; the others have indexes, which only the sources of long lists are in.
 */
function listOf(scope: SourceScope, filter: SourceFilter, sortBy: SourceSort): SortedList {
  const ofDomain = scope.domainId !== undefined;
  const isLong = !ofDomain && scope.areIndexed;
  const byKey = sortBy === 'source_ip' && !scope.gathered;
  const key = (ofDomain ? sortKeysOfDomain : sortKeys)[sortBy];
  const indexed: Condition[] = isLong && !byKey ? [sql`list.indexed`] : [];
  return {
    table: ofDomain ? sql`source_domain as list` : sql`source_total as list`,
    where: [...scope.where, ...indexed],
    ofAll: { where: [...scope.whereOfAll, ...indexed] },
    filtered: isFiltered(filter),
    unfiltered: scope.unfiltered,
    key: !scope.gathered && (ofDomain || isLong || byKey) ? key : { ...key, indexed: false },
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
