import { peerReport, type PeerReport, utc } from './kept-reports.ts';

/** The file names under which parsedmarc, or an export of its index, has these reports. */
export const parsedmarcFiles = ['aggregate.json', 'dump.ndjson', 'aggregate.csv'] as const;

/** The content of such a file, in pieces. */
export function* fileOf(name: (typeof parsedmarcFiles)[number], reports: number): Generator<string> {
  if (name === 'aggregate.json') yield '[';
  if (name === 'aggregate.csv') yield `${Object.keys(csvOf(peerReport(0))[0] ?? {}).join(',')}\n`;
  for (let number = 0; number < reports; number += 1) {
    const report = peerReport(number);
    if (name === 'aggregate.json') yield `${number > 0 ? ',\n' : ''}${JSON.stringify(jsonOf(report), null, 2)}`;
    else if (name === 'dump.ndjson')
      yield documentsOf(report)
        .map((each) => `${JSON.stringify(each)}\n`)
        .join('');
    else
      yield csvOf(report)
        .map((row) => `${Object.values(row).join(',')}\n`)
        .join('');
  }
  if (name === 'aggregate.json') yield ']';
}

const metadataOf = ({ id }: PeerReport) => ({
  org_name: 'Reporter',
  org_email: 'dmarc@reporter.example',
  org_extra_contact_info: '',
  report_id: id,
});
const policy = { domain: 'example.com', adkim: 'r', aspf: 'r', p: 'none', sp: 'none', pct: '100', fo: '' };

function recordsOf({ number }: PeerReport) {
  return [
    { ip: '192.0.2.1', count: number + 1, dkim: 'pass', spf: 'fail' },
    { ip: '2001:db8::1', count: 1, dkim: 'fail', spf: 'fail' },
  ];
}

function jsonOf(report: PeerReport): object {
  const [begin, end] = [utc(report.begin), utc(report.end)];
  return {
    xml_schema: '1.0',
    report_metadata: { ...metadataOf(report), begin_date: begin, end_date: end, errors: [] },
    policy_published: policy,
    records: recordsOf(report).map(({ ip, count, dkim, spf }) => ({
      interval_begin: begin,
      interval_end: end,
      normalized_timespan: false,
      source: { ip_address: ip, country: null },
      count,
      policy_evaluated: { disposition: 'none', dkim, spf, policy_override_reasons: [] },
      identifiers: { header_from: 'example.com', envelope_from: 'example.com', envelope_to: null },
      auth_results: {
        dkim: [{ domain: 'example.com', selector: 's1', result: dkim }],
        spf: [{ domain: 'example.com', scope: 'mfrom', result: spf }],
      },
    })),
  };
}

function documentsOf(report: PeerReport): object[] {
  return recordsOf(report).map(({ ip, count, dkim, spf }, i) => ({
    _index: 'dmarc_aggregate-2026-01',
    _id: `${report.id}-${i}`,
    _source: {
      xml_schema: '1.0',
      ...metadataOf(report),
      date_begin: `${utc(report.begin).replace(' ', 'T')}+00:00`,
      date_end: `${utc(report.end).replace(' ', 'T')}+00:00`,
      normalized_timespan: false,
      errors: [],
      published_policy: policy,
      source_ip_address: ip,
      message_count: count,
      disposition: 'none',
      dkim_aligned: dkim === 'pass',
      spf_aligned: spf === 'pass',
      header_from: 'example.com',
      dkim_results: [{ domain: 'example.com', selector: 's1', result: dkim }],
      spf_results: [{ domain: 'example.com', scope: 'mfrom', result: spf }],
    },
  }));
}

function csvOf(report: PeerReport): { [column: string]: string | number | boolean }[] {
  return recordsOf(report).map(({ ip, count, dkim, spf }) => ({
    xml_schema: '1.0',
    ...metadataOf(report),
    begin_date: utc(report.begin),
    end_date: utc(report.end),
    normalized_timespan: 'False',
    errors: '',
    ...policy,
    source_ip_address: ip,
    count,
    spf_aligned: spf === 'pass' ? 'True' : 'False',
    dkim_aligned: dkim === 'pass' ? 'True' : 'False',
    disposition: 'none',
    envelope_from: 'example.com',
    header_from: 'example.com',
    dkim_domains: 'example.com',
    dkim_selectors: 's1',
    dkim_results: dkim,
    spf_domains: 'example.com',
    spf_scopes: 'mfrom',
    spf_results: spf,
  }));
}
