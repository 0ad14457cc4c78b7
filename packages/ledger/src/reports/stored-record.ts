import type { Policy, ReportRecord } from '@dmarc-ledger/dmarc';
import type { ReportRecordTable } from '@dmarc-ledger/schema';
import type { Selectable } from 'kysely';

/** Converts a stored row to its record. */
export function toRecord(row: Selectable<ReportRecordTable>): ReportRecord {
  return {
    sourceIp: row.source_ip,
    sourceIpText: row.source_text ?? row.source_ip,
    count: row.messages,
    policyEvaluated: {
      disposition: row.disposition as Policy, // the column is only written from a Policy
      dkim: row.dkim_pass ? 'pass' : 'fail',
      spf: row.spf_pass ? 'pass' : 'fail',
      reasons: row.reasons,
    },
    identifiers: { headerFrom: row.header_from, envelopeFrom: row.envelope_from, envelopeTo: row.envelope_to },
    authResults: { dkim: row.dkim_results, spf: row.spf_results },
  };
}
