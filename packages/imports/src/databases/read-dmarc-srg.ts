import { ImportError } from '../import-error.ts';
import type { Found, KeptRecord, UnreadableCode } from '../kept-report.ts';
import { reasonsOf, resultsOf } from '../parsedmarc/json-report.ts';
import { countOf, type Fields, recordWith, textOf, textsOf } from '../read-values.ts';
import type { SourceDatabase } from './open-source.ts';
import { batchesBy, findTable, recordsOf, secondsSince1970 } from './read-tables.ts';
import { rebuildReport } from './rebuild-report.ts';

const TOOL = 'dmarc-srg';
const REPORT = [
  'extra_contact_info',
  'error_string',
  'policy_adkim',
  'policy_aspf',
  'policy_p',
  'policy_sp',
  'policy_np',
  'policy_pct',
  'policy_fo',
];
const RECORD = ['reason', 'dkim_auth', 'spf_auth', 'envelope_to', 'envelope_from', 'header_from'];

/** The numbers that the tool stores for them. */
const DISPOSITIONS = ['reject', 'quarantine', 'none'];
const OUTCOMES = ['fail', null, 'pass'];

/**
 * Reads the database of dmarc-srg, whose instants are in UTC. `prefix` is that of its tables.
 *
 * @throws {ImportError} `source_unknown` for another schema.
 */
export async function* readDmarcSrg(source: SourceDatabase, { prefix = '' } = {}): AsyncGenerator<Found> {
  if (!/^\w{0,32}$/.test(prefix))
    throw new ImportError('source_unknown', 'A prefix may contain only letters, digits and _.');
  const report = await findTable(source, `${prefix}reports`, {
    tool: TOOL,
    needed: ['id', 'domain_id', 'begin_time', 'end_time', 'org', 'external_id', 'email'],
  });
  const record = await findTable(source, `${prefix}rptrecords`, {
    tool: TOOL,
    needed: ['id', 'report_id', 'ip', 'rcount', 'disposition', 'dkim_align', 'spf_align'],
  });
  const domain = await findTable(source, `${prefix}domains`, { tool: TOOL, needed: ['id', 'fqdn'] });
  const seconds = (column: string) =>
    source.dialect === 'mysql'
      ? `timestampdiff(second, '1970-01-01 00:00:00', ${column})`
      : secondsSince1970(`${column} at time zone 'UTC'`);
  const batches = batchesBy(
    source,
    'r.id',
    `select r.id as id, ${seconds('begin_time')} as begins, ${seconds('end_time')} as ends, d.fqdn, org, external_id,
      email, ${REPORT.map(report.column).join(', ')}
    from ${report.name} r left join ${domain.name} d on d.id = r.domain_id`,
  );
  const reading = {
    table: record.name,
    owner: 'report_id',
    columns: `ip, rcount, disposition, dkim_align, spf_align, ${RECORD.map(record.column).join(', ')}`,
    order: 'id',
  };
  for await (const batch of batches)
    for await (const { reports, records } of recordsOf(source, batch, reading))
      for (const row of reports) yield* rebuildReport(row, records.get(String(row['id'])) ?? [], rebuilding);
}

const rebuilding = {
  tool: TOOL,
  domain: (row: Fields) => row['fqdn'],
  reportId: (row: Fields) => row['external_id'],
  errors: (row: Fields) => textsOf(jsonOf(row['error_string'])),
  record: readRecord,
};

function readRecord(row: Fields): KeptRecord | UnreadableCode {
  return recordWith(
    { sourceIp: row['ip'], count: row['rcount'] },
    {
      disposition: DISPOSITIONS[countOf(row['disposition']) ?? -1] ?? null,
      dkim: OUTCOMES[countOf(row['dkim_align']) ?? -1] ?? null,
      spf: OUTCOMES[countOf(row['spf_align']) ?? -1] ?? null,
      reasons: reasonsOf(jsonOf(row['reason'])),
      envelopeTo: textOf(row['envelope_to']),
      envelopeFrom: textOf(row['envelope_from']),
      headerFrom: textOf(row['header_from']),
      ...resultsOf(jsonOf(row['dkim_auth']), jsonOf(row['spf_auth'])),
    },
  );
}

function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(textOf(value) ?? 'null');
  } catch {
    return null;
  }
}
