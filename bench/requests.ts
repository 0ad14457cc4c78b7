import { reportFilters, sourceFilters } from './filters.ts';
import { daysAgo, nameOf, type Named } from './named.ts';

const SWIFT_MS = 10;
const HEAVY_MS = 50;
const PAGE = 50;
const REPORT_SORTS = ['date_end', 'received', 'org_name', 'domain', 'total_messages', 'report_id', 'compliance'];
export const SOURCE_SORTS = [
  'total_messages',
  'source_ip',
  'first_seen',
  'last_seen',
  'compliance',
  'auth_failures',
  'domains',
] as const;

/** What is requested for one line of the table, and the longest time of an answer to one client, in milliseconds. */
export interface Asked {
  name: string;
  /** Requested in turn. */
  paths: readonly string[];
  atMost: number;
  /** A list: its pages, in all of these orders, both ways. */
  sorts?: readonly string[];
  /** An answer that is kept until the organization changes: to one client it is computed each time. */
  isKept?: boolean;
}

/** Each endpoint of the API, lists in a few ways. */
export function eachEndpoint({ id, domain, rare }: Named): Asked[] {
  const swift = ['/reports', '/reports?offset=10000&sort_by=compliance', '/reports?search=mail', '/reports/date-range'];
  const rest = ['/top-sources', '/domains', '/sources', '/sources?search=10.', `/sources/${rare}`, '/events'];
  return [
    ...[...swift, `/reports/${id}`, ...figures(''), ...rest, '/api-keys/usage', '/enums'].map(swiftly),
    { ...swiftly('/dashboard/overview'), atMost: HEAVY_MS },
    { ...swiftly(`/domains/${domain}/health`), atMost: HEAVY_MS },
  ];
}

/** Each endpoint, filter and sort of the API. Health is computed for each request, as no worker keeps it. */
export function eachFilter(named: Named): Asked[] {
  return asked(named).map((one) => ({ ...one, name: nameOf(one.name, named) }));
}

function asked(named: Named): Asked[] {
  const { id, domain, address, rare, domains } = named;
  const single = ['/reports/date-range', `/reports/${id}`, ...figures(''), ...figures(`domain=${domain}`)];
  const others = [`/sources/${address}`, `/sources/${rare}`, '/api-keys/usage', '/api-keys/usage?days=90', '/enums'];
  const events = ['/events', '/events?acknowledged=false', `/events?from=${daysAgo(30)}`];
  return [
    ...reportFilters(named).map((filter) => list('/reports', filter, REPORT_SORTS)),
    ...sourceFilters(named).map((filter) => list('/sources', filter, SOURCE_SORTS)),
    list('/top-sources', '', []),
    list('/top-sources', `domain=${domain}`, []),
    list('/domains', '', []),
    ...events.map((path) => list(path, '', [])),
    ...[...single, ...others].map(swiftly),
    { ...swiftly('/dashboard/overview'), atMost: HEAVY_MS, isKept: true },
    { name: '/domains/{domain}/health', paths: domains.map((name) => `/domains/${name}/health`), atMost: HEAVY_MS },
  ];
}

/** The figures of the organization, or with a filter those of a domain. */
function figures(filter: string): string[] {
  const and = filter && `&${filter}`;
  const asked = [`/statistics?${filter}`, `/compliance-score?${filter}`, `/trends?days=365${and}`];
  return [...(filter ? [] : ['/compliance-score/history?days=365']), ...asked].map((path) => path.replace(/\?$/, ''));
}

function swiftly(path: string): Asked {
  return { name: path, paths: [path], atMost: SWIFT_MS };
}

function list(path: string, filter: string, sorts: readonly string[]): Asked {
  return { ...swiftly(filter ? `${path}?${filter}` : path), sorts };
}

/** The pages of a list of so many rows, in all of its orders: the first, and those in the middle and at the end. */
export function pagesOf({ paths: [path = ''], sorts = [] }: Asked, total: number): { first: string[]; deep: string[] } {
  const last = Math.max(0, Math.ceil(total / PAGE) - 1) * PAGE;
  const deep = [...new Set([Math.floor(last / 2), last])].filter((offset) => offset > 0);
  const orders = sorts.flatMap((sort) => ['desc', 'asc'].map((direction) => `&sort_by=${sort}&sort_dir=${direction}`));
  const and = path.includes('?') ? '&' : '?';
  const at = (offsets: readonly number[]) =>
    (orders.length > 0 ? orders : ['']).flatMap((order) =>
      offsets.map((offset) => `${path}${and}limit=${PAGE}&offset=${offset}${order}`),
    );
  return { first: at([0]), deep: at(deep) };
}
