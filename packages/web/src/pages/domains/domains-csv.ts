import type { CsvColumns } from '../../page/csv-file.ts';
import type { DomainRow } from './domain-rows.ts';

/** The domains of a list as a file. */
export const domainColumns: CsvColumns<DomainRow> = {
  domain: ({ domain }) => domain,
  score: ({ card }) => card?.score,
  grade: ({ card }) => card?.grade,
  compliance_rate: ({ card }) => card?.compliance_rate,
  confidence: ({ confidence }) => confidence?.level,
  total_messages: ({ card }) => card?.total_messages,
  policy: ({ card }) => (card?.isUnpublished ? undefined : card?.policy),
  inherited_from: ({ card }) => card?.inherited_from,
  dmarc_state: ({ monitored }) => monitored?.dmarc_state,
  open_items: ({ card }) => card?.action_count,
  most_urgent: ({ card }) => card?.top_issue,
};
