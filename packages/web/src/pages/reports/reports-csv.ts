import type { BodyOf, listReports } from '@dmarc-ledger/api/answers';
import type { CsvColumns } from '../../page/csv-file.ts';

/** The reports of a list as a file: the columns of v1, and when each came in. */
export const reportColumns: CsvColumns<BodyOf<typeof listReports>['reports'][number]> = {
  id: ({ id }) => id,
  report_id: ({ report_id }) => report_id,
  org_name: ({ org_name }) => org_name,
  domain: ({ domain }) => domain,
  total_messages: ({ total_messages }) => total_messages,
  compliant_messages: ({ compliant_messages }) => compliant_messages,
  compliance_rate: ({ compliance_rate }) => compliance_rate,
  policy_p: ({ policy_p }) => policy_p,
  date_begin: ({ date_begin }) => date_begin?.slice(0, 10),
  date_end: ({ date_end }) => date_end?.slice(0, 10),
  received_at: ({ received_at }) => received_at,
};
