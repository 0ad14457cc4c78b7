import type { CsvColumns } from '../../page/csv-file.ts';
import { isApplied } from '../../texts/policy.ts';
import type { DomainRow } from './domain-rows.ts';

/** The domains of a list as a file. */
export const domainColumns: CsvColumns<DomainRow> = {
  domain: ({ domain }) => domain,
  score: ({ card }) => card?.score,
  grade: ({ card }) => card?.grade,
  compliance_rate: ({ card }) => card?.compliance_rate,
  confidence: ({ confidence }) => confidence?.level,
  total_messages: ({ card }) => card?.total_messages,
  policy: ({ policy }) => (policy && isApplied(policy) ? policy.policy : undefined),
  inherited_from: ({ policy }) => policy?.inherited_from,
  dmarc_state: ({ monitored }) => monitored?.dmarc_state,
  may_receive_reports: ({ isForbidden }) => !isForbidden,
  open_items: ({ issue }) => issue?.count ?? 0,
  most_urgent: ({ issue }) => issue?.title,
};
