import { assembleReport } from '../assemble-report.ts';
import type { Found } from '../kept-report.ts';
import { policyOf, reasonsOf, resultsOf, versionOf } from '../parsedmarc/json-report.ts';
import { countOf, type Fields, recordWith, textOf, textsOf } from '../read-values.ts';
import type { SourceDatabase } from './open-source.ts';
import { batchesBy, findTable, recordsOf, secondsSince1970 } from './read-tables.ts';

const TOOL = 'parsedmarc';
const REPORT = [
  'xml_schema',
  'org_email',
  'org_extra_contact_info',
  'errors',
  'adkim',
  'aspf',
  'policy',
  'subdomain_policy',
  'pct',
  'fo',
  'np',
  'testing',
  'discovery_method',
  'generator',
];

const RECORD_READING = {
  table: 'dmarc_aggregate_record',
  owner: 'report_id',
  columns: `id, host(source_ip_address) as ip, message_count, spf_aligned, dkim_aligned, disposition, policy_dkim,
    policy_spf, header_from, envelope_from, envelope_to,
    ${secondsSince1970('interval_begin')} as interval_begin`,
  order: 'id',
};

/** The results and reasons of a record, each kind in a table of its own. */
type Parts = { [kind in 'dkim' | 'spf' | 'policy_override']: Map<string, Fields[]> };

/**
 * Reads the tables that parsedmarc writes to PostgreSQL.
 *
 * @throws {ImportError} `source_unknown` for another schema.
 */
export async function* readParsedmarcTables(source: SourceDatabase): AsyncGenerator<Found> {
  const report = await findTable(source, 'dmarc_aggregate_report', {
    tool: TOOL,
    needed: ['id', 'org_name', 'report_id', 'begin_date', 'end_date', 'domain'],
  });
  await findTable(source, 'dmarc_aggregate_record', {
    tool: TOOL,
    needed: ['id', 'report_id', 'message_count', 'source_ip_address'],
  });
  const batches = batchesBy(
    source,
    'id',
    `select id, org_name, report_id, domain, ${secondsSince1970('begin_date')} as begins,
      ${secondsSince1970('end_date')} as ends, ${REPORT.map(report.column).join(', ')}
    from dmarc_aggregate_report`,
  );
  for await (const batch of batches)
    for await (const { reports, records } of recordsOf(source, batch, RECORD_READING)) {
      const parts = await partsOf(source, [...records.values()].flat());
      for (const row of reports) yield* rebuilt(row, records.get(String(row['id'])) ?? [], parts);
    }
}

/** The tables of results and reasons have no index by record: each is read once for all of these records. */
async function partsOf(source: SourceDatabase, records: readonly Fields[]): Promise<Parts> {
  const ids = records.map(({ id }) => id);
  const of = async (kind: keyof Parts, columns: string) => {
    const rows = await source.rows(
      `select record_id as owner, ${columns} from dmarc_aggregate_record_${kind}
      where record_id in (select unnest(?::bigint[])) order by id`,
      [ids],
    );
    return Map.groupBy(rows, ({ owner }) => String(owner));
  };
  return {
    dkim: await of('dkim', 'domain, selector, result'),
    spf: await of('spf', 'domain, scope, result'),
    policy_override: await of('policy_override', 'override_type as type, comment'),
  };
}

function rebuilt(row: Fields, given: readonly Fields[], parts: Parts): Generator<Found> {
  const header = {
    version: versionOf(row['xml_schema']),
    reporterName: textOf(row['org_name']),
    email: textOf(row['org_email']),
    extraContactInfo: textOf(row['org_extra_contact_info']),
    reportId: textOf(row['report_id']),
    begin: countOf(row['begins']),
    end: countOf(row['ends']),
    errors: textsOf(row['errors']),
    generator: textOf(row['generator']),
    policy: policyOf({ ...row, p: row['policy'], sp: row['subdomain_policy'] }),
  };
  const days = given
    .values()
    .map((each) => ({ record: readRecord(each, parts), begin: countOf(each['interval_begin']) }));
  return assembleReport(`${TOOL}, report ${String(row['id'])}`, header, days);
}

function readRecord(row: Fields, { dkim, spf, policy_override: reasons }: Parts) {
  const id = String(row['id']);
  return recordWith(
    { sourceIp: row['ip'], count: row['message_count'] },
    {
      disposition: textOf(row['disposition']),
      dkim: textOf(row['policy_dkim']) ?? outcomeOf(row['dkim_aligned']),
      spf: textOf(row['policy_spf']) ?? outcomeOf(row['spf_aligned']),
      reasons: reasonsOf(reasons.get(id)),
      envelopeTo: textOf(row['envelope_to']),
      envelopeFrom: textOf(row['envelope_from']),
      headerFrom: textOf(row['header_from']),
      ...resultsOf(dkim.get(id), spf.get(id)),
    },
  );
}

function outcomeOf(isAligned: unknown): string | null {
  return typeof isAligned === 'boolean' ? (isAligned ? 'pass' : 'fail') : null;
}
