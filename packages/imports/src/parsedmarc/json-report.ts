import { assembleReport, type Header } from '../assemble-report.ts';
import { secondsOf } from '../instants.ts';
import type { Found, KeptRecord, UnreadableCode } from '../kept-report.ts';
import { type Fields, fieldsOf, isFields, listOf, recordWith, textOf, textsOf } from '../read-values.ts';

/** Reads one report of parsedmarc's JSON. Records that cannot be read are named, and the others kept. */
export function* readJsonReport(report: Fields, name: string, zone: string): Generator<Found> {
  const records = listOf(report['records']).filter(isFields);
  const parts = records
    .values()
    .map((given) => ({ record: readRecord(given), begin: secondsOf(given['interval_begin']) }));
  yield* assembleReport(name, readHeader(report, records[0], zone), parts);
}

function readHeader(report: Fields, first: Fields | undefined, zone: string): Header {
  const metadata = fieldsOf(report['report_metadata']);
  return {
    version: versionOf(report['xml_schema']),
    reporterName: textOf(metadata['org_name']),
    email: textOf(metadata['org_email']),
    extraContactInfo: textOf(metadata['org_extra_contact_info']),
    reportId: textOf(metadata['report_id']),
    ...windowOf(metadata, first, zone),
    errors: textsOf(metadata['errors']),
    generator: textOf(metadata['generator']),
    policy: policyOf(fieldsOf(report['policy_published'])),
  };
}

/**
 * The window in UTC: begin and end of the report are local times of the machine that ran parsedmarc, the interval of a
 * record that was not split by day is the same in UTC.
 */
function windowOf(metadata: Fields, first: Fields | undefined, zone: string) {
  const isSplit = metadata['timespan_requires_normalization'] === true || first?.['normalized_timespan'] === true;
  const own = { begin: secondsOf(metadata['begin_date'], zone), end: secondsOf(metadata['end_date'], zone) };
  const interval = { begin: secondsOf(first?.['interval_begin']), end: secondsOf(first?.['interval_end']) };
  return isSplit || interval.begin === undefined ? own : interval;
}

/** `draft` is what parsedmarc writes for a report without a version. */
export function versionOf(value: unknown): string | null {
  const version = textOf(value);
  return version === 'draft' ? null : version;
}

export function policyOf(published: Fields): Header['policy'] {
  return {
    domain: textOf(published['domain']),
    discoveryMethod: textOf(published['discovery_method']),
    p: textOf(published['p']),
    sp: textOf(published['sp']),
    np: textOf(published['np']),
    fo: textOf(published['fo']),
    adkim: textOf(published['adkim']),
    aspf: textOf(published['aspf']),
    testing: textOf(published['testing']),
    pct: textOf(published['pct']),
  };
}

function readRecord(given: Fields): KeptRecord | UnreadableCode {
  const evaluated = fieldsOf(given['policy_evaluated']);
  const identifiers = fieldsOf(given['identifiers']);
  const results = fieldsOf(given['auth_results']);
  return recordWith(
    { sourceIp: fieldsOf(given['source'])['ip_address'], count: given['count'] },
    {
      disposition: textOf(evaluated['disposition']),
      dkim: textOf(evaluated['dkim']),
      spf: textOf(evaluated['spf']),
      reasons: reasonsOf(evaluated['policy_override_reasons']),
      envelopeTo: textOf(identifiers['envelope_to']),
      envelopeFrom: textOf(identifiers['envelope_from']),
      headerFrom: textOf(identifiers['header_from']),
      ...resultsOf(results['dkim'], results['spf']),
    },
  );
}

export function reasonsOf(value: unknown): KeptRecord['reasons'] {
  return listOf(value)
    .filter(isFields)
    .map(({ type, comment }) => ({ type: textOf(type), comment: textOf(comment) }));
}

/** The results of both kinds. A selector `none` is what parsedmarc writes where the reporter named none. */
export function resultsOf(dkim: unknown, spf: unknown): Pick<KeptRecord, 'dkimResults' | 'spfResults'> {
  const named = (value: unknown) =>
    listOf(value)
      .filter(isFields)
      .flatMap((given) => {
        const domain = textOf(given['domain']);
        return domain === null ? [] : [{ domain, given }];
      });
  return {
    dkimResults: named(dkim).map(({ domain, given }) => {
      const selector = textOf(given['selector']);
      const result = textOf(given['result'] ?? given['results']);
      return {
        domain,
        selector: selector === 'none' ? null : selector,
        result,
        humanResult: textOf(given['human_result']),
      };
    }),
    spfResults: named(spf).map(({ domain, given }) => ({
      domain,
      scope: textOf(given['scope']),
      result: textOf(given['result'] ?? given['results']),
      humanResult: textOf(given['human_result']),
    })),
  };
}
