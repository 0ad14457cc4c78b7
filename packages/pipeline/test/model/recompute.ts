import type { Db } from '@dmarc-ledger/schema';

/** Rows of a rollup by key, as text. */
type Rows = Map<string, string>;

interface Line {
  report: string;
  ip: string;
  day: string;
  domain: string;
  messages: number;
  spf: boolean;
  dkim: boolean;
  class: string | null;
  proved: boolean;
}

/**
 * Recomputes every rollup of an organization from its records and reports with plain loops, and returns what differs in
 * the tables. Written apart from the audit and from the statements that keep the rollups, so that no mistake is in
 * both.
 */
export async function differences(db: Db, orgId: string): Promise<string[]> {
  const reports = await db.selectFrom('report').selectAll().where('org_id', '=', orgId).execute();
  const records = await db.selectFrom('report_record').selectAll().where('org_id', '=', orgId).execute();
  const lines = records.map((row): Line => ({
    report: row.report_id,
    ip: row.source_ip,
    day: row.day,
    domain: row.domain_id,
    messages: row.messages,
    spf: row.spf_pass,
    dkim: row.dkim_pass,
    class: row.class,
    proved: row.proved,
  }));
  const of = (...parts: (string | number)[]) => parts.join(' ');
  const failing = new Map(
    Map.groupBy(lines, ({ ip }) => ip)
      .entries()
      .map(([ip, list]) => [ip, lacking(list)]),
  );
  const expected: { [table: string]: Rows } = {
    source_domain_day: grouped(lines, (line) => of(line.ip, line.day, line.domain), provedSums),
    source_domain: grouped(lines, (line) => of(line.ip, line.domain), provedSums),
    source_total: grouped(
      lines,
      (line) => line.ip,
      (list) => of(sourceSums(list), new Set(list.map(({ domain }) => domain)).size, lacking(list)),
    ),
    domain_day: grouped(
      lines,
      (line) => of(line.domain, line.day),
      (list) => `${daySums(list)} ${total(list, ({ proved }) => proved)}`,
    ),
    org_day: grouped(lines, (line) => line.day, daySums),
    domain_total: grouped(
      lines,
      (line) => line.domain,
      (list) => {
        const ips = [...Map.groupBy(list, ({ ip }) => ip).values()];
        return of(sums(list), ips.length, ips.filter((some) => lacking(some) > 0).length);
      },
    ),
    org_total: grouped(
      lines,
      () => 'all',
      (list) =>
        of(
          sums(list),
          new Set(list.map(({ domain }) => domain)).size,
          failing.size,
          [...failing.values()].filter((lacks) => lacks > 0).length,
        ),
    ),
    report_count_day: grouped(
      reports,
      (report) => of(report.domain_id, report.end_day, report.begin_day, report.result),
      (list) => String(list.length),
    ),
    org_report_count_day: grouped(
      reports,
      (report) => of(report.end_day, report.begin_day, report.result),
      (list) => String(list.length),
    ),
    report_count_reporter: grouped(
      reports,
      (report) => of(report.reporter_id, report.domain_id, report.result),
      (list) => String(list.length),
    ),
  };
  expected.dkim_pass = new Map(
    records.flatMap((row) =>
      (row.dkim_results ?? []).flatMap(({ result, domain, selector }, i): [string, string][] =>
        row.dkim_aligned?.[i] && result === 'pass' && domain && selector
          ? [
              [of(row.report_id, row.domain_id, row.day, domain, selector), ''],
              [of(row.report_id, row.domain_id, row.day, '', ''), ''],
            ]
          : [],
      ),
    ),
  );
  const held = await heldRows(db, orgId);
  const passes = await db.selectFrom('dkim_pass').selectAll().where('org_id', '=', orgId).execute();
  held.dkim_pass = new Map(
    passes.map((row) => [of(row.report_id, row.domain_id, row.day, row.signer, row.selector), '']),
  );
  return Object.entries(expected).flatMap(([table, rows]) => compare(table, rows, held[table] ?? new Map()));
}

function grouped<Item>(items: readonly Item[], key: (item: Item) => string, sum: (list: Item[]) => string): Rows {
  return new Map(
    Map.groupBy(items, key)
      .entries()
      .map(([name, list]) => [name, sum(list)]),
  );
}

const total = (list: readonly Line[], counts: (line: Line) => boolean = () => true) =>
  list.reduce((sum, line) => sum + (counts(line) ? line.messages : 0), 0);

/** Reports, messages, compliant, by SPF, by DKIM. */
function sums(list: readonly Line[]): string {
  return [
    new Set(list.map(({ report }) => report)).size,
    total(list),
    total(list, ({ spf, dkim }) => spf || dkim),
    total(list, ({ spf }) => spf),
    total(list, ({ dkim }) => dkim),
  ].join(' ');
}

const ofClass = (list: readonly Line[], name: string) => total(list, (line) => line.class === name);
const daySums = (list: readonly Line[]) => `${sums(list)} ${ofClass(list, 'likely_forwarded')}`;
const sourceSums = (list: readonly Line[]) =>
  `${daySums(list)} ${ofClass(list, 'suspicious')} ${ofClass(list, 'needs_review')}`;
const provedSums = (list: readonly Line[]) => `${sourceSums(list)} ${total(list, ({ proved }) => proved)}`;
const lacking = (list: readonly Line[]) => total(list, ({ spf }) => !spf) + total(list, ({ dkim }) => !dkim);

const SUMS = ['reports', 'messages', 'compliant', 'spf_pass', 'dkim_pass'] as const;
const CLASSES = ['forwarded', 'suspicious', 'needs_review'] as const;

async function heldRows(db: Db, orgId: string): Promise<{ [table: string]: Rows }> {
  const rows = async (table: Parameters<Db['selectFrom']>[0] & string, key: string[], values: readonly string[]) => {
    const found = (await db
      .selectFrom(table as 'org_day')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('reports', '<>', 0)
      .execute()) as unknown as { [column: string]: unknown }[];
    const text = (row: { [column: string]: unknown }, columns: readonly string[]) =>
      columns.map((column) => String(row[column])).join(' ');
    return new Map(found.map((row) => [key.length > 0 ? text(row, key) : 'all', text(row, values)]));
  };
  const bySource = [...SUMS, ...CLASSES];
  const byDay = [...SUMS, 'forwarded'];
  return {
    source_domain_day: await rows('source_domain_day', ['source_ip', 'day', 'domain_id'], [...bySource, 'proved']),
    source_domain: await rows('source_domain', ['source_ip', 'domain_id'], [...bySource, 'proved']),
    source_total: await rows('source_total', ['source_ip'], [...bySource, 'domains', 'auth_failures']),
    domain_day: await rows('domain_day', ['domain_id', 'day'], [...byDay, 'proved']),
    org_day: await rows('org_day', ['day'], byDay),
    domain_total: await rows('domain_total', ['domain_id'], [...SUMS, 'sources', 'failing_sources']),
    org_total: await rows('org_total', [], [...SUMS, 'domains', 'sources', 'failing_sources']),
    report_count_day: await rows('report_count_day', ['domain_id', 'end_day', 'begin_day', 'result'], ['reports']),
    org_report_count_day: await rows('org_report_count_day', ['end_day', 'begin_day', 'result'], ['reports']),
    report_count_reporter: await rows('report_count_reporter', ['reporter_id', 'domain_id', 'result'], ['reports']),
  };
}

function compare(table: string, expected: Rows, held: Rows): string[] {
  return [...new Set([...expected.keys(), ...held.keys()])]
    .filter((key) => expected.get(key) !== held.get(key))
    .map((key) => `${table} ${key}: ${held.get(key) ?? 'nothing'} in place of ${expected.get(key) ?? 'nothing'}`);
}
