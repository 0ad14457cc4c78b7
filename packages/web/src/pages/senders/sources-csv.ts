import type { BodyOf, listSources } from '@dmarc-ledger/api/answers';
import type { CsvColumns } from '../../page/csv-file.ts';

/** The addresses of a list as a file. */
export const sourceColumns: CsvColumns<BodyOf<typeof listSources>['sources'][number]> = {
  source_ip: (source) => source.source_ip,
  service_name: (source) => source.service_name,
  hostname: (source) => source.hostname,
  classification: (source) => source.classification,
  total_messages: (source) => source.total_messages,
  pass_count: (source) => source.pass_count,
  fail_count: (source) => source.fail_count,
  compliance_rate: (source) => source.compliance_rate,
  network: (source) => source.isp,
  country: (source) => source.country,
  reputation: (source) => source.abuse_status,
  blocklist_severity: (source) => source.blocklist_severity,
  domains: (source) => source.domains,
  first_seen: (source) => source.first_seen,
  last_seen: (source) => source.last_seen,
};
