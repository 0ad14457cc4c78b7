import { getAll, getJson } from './api.ts';
import type { Totals } from './truth.ts';

/** The totals that the API returns, of the organization or of one domain, in the shape of the truth. */
export async function reportedTotals(apiUrl: string, key: string, domain?: string): Promise<Totals> {
  const get = (path: string) => getJson(`${apiUrl}/v1${withDomain(path, domain)}`, key);
  const all = (path: string, list: string) => getAll(`${apiUrl}/v1${withDomain(path, domain)}`, key, list);
  const statistics = await get('/statistics');
  const points: Point[] = (await get('/trends?days=365')).points;
  const sources = await all('/sources', 'sources');
  checkTopSources(sources, await all('/top-sources', 'sources'));
  const reports = (await all('/reports?sort_by=report_id', 'reports')).filter(
    (report) => domain === undefined || report.domain === domain,
  );
  return {
    all: {
      reports: statistics.total_reports,
      messages: statistics.total_messages,
      compliant: statistics.compliant_messages,
      sources: statistics.unique_source_ips,
      domains: statistics.unique_domains,
    },
    days: fromEntries(points, (point) => [
      point.reports > 0 ? point.date : null,
      { reports: point.reports, messages: point.total_messages, compliant: point.compliant_messages },
    ]),
    sources: fromEntries(sources, (source) => [
      source.source_ip,
      {
        messages: source.total_messages,
        pass: source.pass_count,
        fail: source.fail_count,
        spfFail: source.spf_fail_count,
        dkimFail: source.dkim_fail_count,
        firstSeen: source.first_seen,
        lastSeen: source.last_seen,
        domains: source.domains,
      },
    ]),
    reports: fromEntries(reports, (report) => [
      `${report.domain} ${report.report_id} ${report.date_begin}`,
      { messages: report.total_messages, compliant: report.compliant_messages },
    ]),
  };
}

interface Point {
  date: string;
  reports: number;
  total_messages: number;
  compliant_messages: number;
}

function withDomain(path: string, domain: string | undefined): string {
  return domain === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}domain=${domain}`;
}

/** An entry that is there twice is an error: a list shows each thing once. */
function fromEntries<Row, Value>(rows: Row[], entryOf: (row: Row) => [string | null, Value]): { [key: string]: Value } {
  const entries: { [key: string]: Value } = {};
  for (const row of rows) {
    const [key, value] = entryOf(row);
    if (key === null) continue;
    if (key in entries) throw new Error(`${key} is listed twice`);
    entries[key] = value;
  }
  return entries;
}

interface Source {
  source_ip: string;
  total_messages: number;
  pass_count: number;
  fail_count: number;
  spf_fail_count: number;
  dkim_fail_count: number;
}

interface TopSource {
  source_ip: string;
  count: number;
  pass: number;
  fail: number;
  spf_fail: number;
  dkim_fail: number;
}

/** Both lists have the same sources with the same fields, and this one has the busiest first. */
function checkTopSources(sources: Source[], top: TopSource[]): void {
  const same = (row: Source) =>
    [row.source_ip, row.total_messages, row.pass_count, row.fail_count, row.spf_fail_count, row.dkim_fail_count].join();
  const known = new Set(sources.map(same));
  const unknown = top.filter(
    (row) => !known.has([row.source_ip, row.count, row.pass, row.fail, row.spf_fail, row.dkim_fail].join()),
  );
  const isSorted = top.every((row, i) => i === 0 || row.count <= top[i - 1]!.count);
  if (unknown.length > 0 || top.length !== sources.length || !isSorted)
    throw new Error(`/top-sources differs from /sources: ${JSON.stringify(unknown.slice(0, 3))}`);
}
