import type { SenderBody } from '@dmarc-ledger/api/answers';
import type { CsvColumns } from '../../page/csv-file.ts';

/** The senders of a list as a file. */
export const senderColumns: CsvColumns<SenderBody> = {
  id: (sender) => sender.id,
  name: (sender) => sender.name,
  domain: (sender) => sender.domain,
  addresses: (sender) => sender.addresses,
  total_messages: (sender) => sender.messages,
  compliant_messages: (sender) => sender.compliant_messages,
  compliance_rate: (sender) => sender.compliance_rate,
  spf_pass: (sender) => sender.spf_pass,
  dkim_pass: (sender) => sender.dkim_pass,
  forwarded_messages: (sender) => sender.forwarded_messages,
  suspicious_messages: (sender) => sender.suspicious_messages,
  unexplained_messages: (sender) => sender.unexplained_messages,
  first_seen: (sender) => sender.first_seen,
  last_seen: (sender) => sender.last_seen,
  decision: (sender) => sender.decision,
  decided_at: (sender) => sender.decided_at,
  decided_by: (sender) => sender.decided_by,
  owner: (sender) => sender.owner,
  note: (sender) => sender.note,
  suggestion: (sender) => sender.suggestion,
};
