import { assembleReport, type Header } from '../assemble-report.ts';
import { secondsOf } from '../instants.ts';
import { inOrder } from '../join-days.ts';
import type { Found, KeptRecord, UnreadableCode } from '../kept-report.ts';
import { type Fields, fieldsOf, listOf, recordWith, textOf, textsOf } from '../read-values.ts';
import { policyOf, reasonsOf, resultsOf, versionOf } from './json-report.ts';

/** One record with the facts of its report beside it: a document of an index, or a row of a CSV file. */
export interface FlatRow {
  /** Of the document, which several exports may have. */
  id: string | null;
  /** The file, where rows have no ids: two files may have the same report. */
  file: string | null;
  /** What the rows of a report have in common. */
  header: { [name: string]: string | string[] | null };
  begin: number | undefined;
  end: number | undefined;
  isSplit: boolean;
  record: KeptRecord | UnreadableCode;
}

/** The key of the rows of one report. Rows of a report that was split by day have windows of their own. */
export function keyOf({ header, file, begin, end, isSplit }: FlatRow): string {
  return JSON.stringify([header, file, isSplit ? null : [begin, end]]);
}

/** A document of parsedmarc's aggregate index in Elasticsearch or OpenSearch. */
export function documentRow(document: Fields, id: string | null, place: string): FlatRow {
  const published = fieldsOf(document['published_policy']);
  const [from, to] = listOf(document['date_range']);
  const dated = fieldsOf(document['date_range']);
  return {
    id,
    file: id === null ? place.replace(/, [^,]*$/, '') : null,
    header: headerOf(document, {
      ...published,
      np: document['np'] ?? published['np'],
      testing: document['testing'] ?? published['testing'],
      discovery_method: document['discovery_method'] ?? published['discovery_method'],
    }),
    begin: secondsOf(document['date_begin'] ?? dated['gte'] ?? from),
    end: secondsOf(document['date_end'] ?? dated['lte'] ?? to),
    isSplit: document['normalized_timespan'] === true,
    record: recordWith(
      { sourceIp: document['source_ip_address'], count: document['message_count'] },
      {
        disposition: textOf(document['disposition']),
        ...outcomesOf(document),
        reasons: reasonsOf(document['policy_overrides']),
        ...identifiersOf(document),
        ...resultsOf(document['dkim_results'], document['spf_results']),
      },
    ),
  };
}

/** A row of parsedmarc's CSV, by the names of its header. */
export function csvRow(row: Fields): FlatRow {
  const texts = (name: string, separator = ',') => textOf(row[name])?.split(separator) ?? [];
  const [types, comments] = [texts('policy_override_reasons'), texts('policy_override_comments', '|')];
  const zipped = (kind: 'dkim' | 'spf', third: 'selector' | 'scope') => {
    const [thirds, results] = [texts(`${kind}_${third}s`), texts(`${kind}_results`)];
    return texts(`${kind}_domains`).map((domain, i) => ({ domain, [third]: thirds[i], result: results[i] }));
  };
  return {
    id: null,
    file: null,
    header: headerOf({ ...row, errors: texts('errors', '|') }, row),
    begin: secondsOf(row['begin_date']),
    end: secondsOf(row['end_date']),
    isSplit: textOf(row['normalized_timespan'])?.toLowerCase() === 'true',
    record: recordWith(
      { sourceIp: row['source_ip_address'], count: row['count'] },
      {
        disposition: textOf(row['disposition']),
        ...outcomesOf(row),
        reasons: reasonsOf(
          types.map((type, i) => ({
            type: type === 'none' ? null : type,
            // a comment may hold the separator: then which belongs to which type is unknown
            comment: comments.length !== types.length || comments[i] === 'none' ? null : comments[i],
          })),
        ),
        ...identifiersOf(row),
        ...resultsOf(zipped('dkim', 'selector'), zipped('spf', 'scope')),
      },
    ),
  };
}

/** A report from its rows. Records that cannot be read are named, and the others kept. */
export function* reportOfRows(rows: readonly FlatRow[], name: string): Generator<Found> {
  for (const found of assembleReport(name, joinedHeader(rows), withoutRepeated(rows)))
    if (found.kind !== 'kept') yield found;
    else yield { ...found, report: { ...found.report, records: inOrder(found.report.records) } };
}

function* withoutRepeated(rows: readonly FlatRow[]): Generator<FlatRow> {
  const seen = new Set<string>();
  for (const row of rows) {
    if (row.id !== null && seen.has(row.id)) continue;
    if (row.id !== null) seen.add(row.id);
    yield row;
  }
}

/** The header of the first row, and the window of all. */
function joinedHeader(rows: readonly FlatRow[]): Header {
  const header = rows[0]?.header ?? {};
  const text = (field: string) => textOf(header[field]);
  const begins = rows.flatMap(({ begin }) => begin ?? []);
  const ends = rows.flatMap(({ end }) => end ?? []);
  return {
    version: versionOf(header['xml_schema']),
    reporterName: text('org_name'),
    email: text('org_email'),
    extraContactInfo: text('org_extra_contact_info'),
    reportId: text('report_id'),
    begin: begins.length === 0 ? undefined : begins.reduce((least, each) => Math.min(least, each)),
    end: ends.length === 0 ? undefined : ends.reduce((most, each) => Math.max(most, each)),
    errors: textsOf(header['errors']),
    generator: text('generator'),
    policy: policyOf(header),
  };
}

function headerOf(row: Fields, published: Fields): FlatRow['header'] {
  const own = ['xml_schema', 'org_name', 'org_email', 'org_extra_contact_info', 'report_id', 'generator'];
  const policy = ['domain', 'adkim', 'aspf', 'p', 'sp', 'np', 'pct', 'fo', 'testing', 'discovery_method'];
  return Object.fromEntries<string | string[] | null>([
    ...own.map((name) => [name, textOf(row[name])] as const),
    ...policy.map((name) => [name, textOf(published[name])] as const),
    ['errors', textsOf(row['errors'])],
  ]);
}

/** The evaluated results. An index has only whether each aligned, which is the same fact. */
function outcomesOf(row: Fields): Pick<KeptRecord, 'dkim' | 'spf'> {
  const outcome = (value: unknown) => {
    const text = textOf(value)?.toLowerCase();
    return text === 'true' ? 'pass' : text === 'false' ? 'fail' : null;
  };
  return { dkim: outcome(row['dkim_aligned']), spf: outcome(row['spf_aligned']) };
}

function identifiersOf(row: Fields): Pick<KeptRecord, 'envelopeTo' | 'envelopeFrom' | 'headerFrom'> {
  return {
    envelopeTo: textOf(row['envelope_to']),
    envelopeFrom: textOf(row['envelope_from']),
    headerFrom: textOf(row['header_from']),
  };
}
