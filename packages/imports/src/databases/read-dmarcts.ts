import type { Found, KeptRecord, UnreadableCode } from '../kept-report.ts';
import { countOf, type Fields, recordWith, textOf } from '../read-values.ts';
import type { SourceDatabase } from './open-source.ts';
import { batchesBy, chunksBySize, findTable, recordsOf, rowsOf, secondsSince1970 } from './read-tables.ts';
import { rebuildReport } from './rebuild-report.ts';

const TOOL = 'dmarcts-report-parser';
const REPORT = ['extra_contact_info', 'email', 'policy_adkim', 'policy_aspf', 'policy_p', 'policy_sp', 'policy_pct'];
const RECORD = [
  'ip',
  'ip6',
  'reason',
  'dkimdomain',
  'dkimresult',
  'spfdomain',
  'spfresult',
  'disposition',
  'identifier_hfrom',
];

/** Tables of old versions have no id: rows that are equal in all of these may change places. */
const ORDER = ['serial', 'rcount', 'spf_align', 'dkim_align', ...RECORD];

/** Raw reports that are read at once. */
const RAW_BYTES = 8 * 1024 ** 2;

/**
 * Reads the database of dmarcts-report-parser. The raw XML that it kept of a report is what the reporter sent; a report
 * without it is rebuilt from its rows. PostgreSQL has the windows in the zone of the server that stored them.
 *
 * @throws {ImportError} `source_unknown` for another schema.
 */
export async function* readDmarcts(source: SourceDatabase, { zone = 'UTC' } = {}): AsyncGenerator<Found> {
  const report = await findTable(source, 'report', {
    tool: TOOL,
    needed: ['serial', 'mindate', 'maxdate', 'domain', 'org', 'reportid'],
  });
  const record = await findTable(source, 'rptrecord', {
    tool: TOOL,
    needed: ['serial', 'rcount', 'spf_align', 'dkim_align'],
  });
  const isRawKept = report.column('raw_xml') === 'raw_xml';
  const seconds = (column: string) =>
    source.dialect === 'mysql'
      ? `unix_timestamp(${column})`
      : secondsSince1970(`${column} at time zone '${zone.replaceAll("'", '')}'`);
  const batches = batchesBy(
    source,
    'serial',
    `select serial as id, ${seconds('mindate')} as begins, ${seconds('maxdate')} as ends, domain, org, reportid,
      ${REPORT.map(report.column).join(', ')}, ${isRawKept ? 'coalesce(octet_length(raw_xml), 0)' : '0'} as raw_size
    from report`,
  );
  const reading = {
    table: 'rptrecord',
    owner: 'serial',
    columns: `rcount, spf_align, dkim_align, ${RECORD.map(record.column).join(', ')}`,
    order: record.column('id') === 'id' ? 'id' : ORDER.filter((name) => record.column(name) === name).join(', '),
  };
  for await (const reports of batches) {
    const bare = reports.filter((row) => !rawSize(row));
    for (const raws of chunksBySize(reports.filter(rawSize), RAW_BYTES, rawSize)) {
      const kept = await rowsOf(
        source,
        (ids) => `select serial as owner, raw_xml from report where serial in (${ids})`,
        raws.map(({ id }) => id),
      );
      for (const row of raws) {
        const name = `${TOOL}, report ${String(row['id'])}`;
        const raw = rawOf(textOf(kept.get(String(row['id']))?.[0]?.['raw_xml']) ?? '');
        if (raw) yield { kind: 'raw', name: `${name}${raw.isGzip ? '.xml.gz' : '.xml'}`, content: raw.content };
        else yield { kind: 'unreadable', name, code: 'raw_unreadable' };
        if (!raw) bare.push(row);
      }
    }
    for await (const { reports: rows, records } of recordsOf(source, bare, reading))
      for (const row of rows) yield* rebuildReport(row, records.get(String(row['id'])) ?? [], rebuilding);
  }
}

const rawSize = (row: Fields) => countOf(row['raw_size']) ?? 0;

/** The raw report: XML, or gzip in base64 where the tool compresses it. */
function rawOf(stored: string): { content: Buffer; isGzip: boolean } | undefined {
  if (/^\uFEFF?\s*</.test(stored)) return { content: Buffer.from(stored), isGzip: false };
  const content = Buffer.from(stored, 'base64');
  return content[0] === 0x1f && content[1] === 0x8b ? { content, isGzip: true } : undefined;
}

const rebuilding = {
  tool: TOOL,
  domain: (row: Fields) => row['domain'],
  reportId: (row: Fields) => row['reportid'],
  record: readRecord,
};

function readRecord(row: Fields): KeptRecord | UnreadableCode {
  const known = (column: string) => {
    const text = textOf(row[column]);
    return text === 'unknown' ? null : text;
  };
  return recordWith(
    { sourceIp: row['ip6'] ?? row['ip'], count: row['rcount'] },
    {
      disposition: known('disposition'),
      dkim: known('dkim_align'),
      spf: known('spf_align'),
      reasons: (textOf(row['reason'])?.split('/') ?? []).filter(Boolean).map((type) => ({ type })),
      headerFrom: textOf(row['identifier_hfrom']),
      dkimResults: resultOf(textOf(row['dkimdomain']), known('dkimresult')),
      spfResults: resultOf(textOf(row['spfdomain']), known('spfresult')),
    },
  );
}

/** One result for one domain. For several domains the tool keeps one, and not whose it is: then there is none. */
function resultOf(domain: string | null, result: string | null): { domain: string; result: string | null }[] {
  return domain === null || domain.includes('/') ? [] : [{ domain, result }];
}
