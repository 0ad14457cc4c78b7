import { verdictOf } from '@dmarc-ledger/api/answers';
import type { ReportHead, StoredRecord } from '@dmarc-ledger/queries';
import type { CsvColumns } from '../../page/csv-file.ts';
import { dkimLines, spfLines } from './auth-results.ts';

const SEPARATOR = ' | ';
const outcome = (passed: boolean) => (passed ? 'pass' : 'fail');

/** The records of a report as a file: as reported, and what this ledger makes of each. */
export function recordColumns(report: ReportHead): CsvColumns<StoredRecord> {
  return {
    position: ({ position }) => position,
    source_ip: ({ source_ip }) => source_ip,
    messages: ({ messages }) => messages,
    class: (record) => verdictOf(record, report).class,
    header_from: ({ header_from }) => header_from,
    envelope_from: ({ envelope_from }) => envelope_from,
    envelope_to: ({ envelope_to }) => envelope_to,
    dkim: ({ dkim_pass }) => outcome(dkim_pass),
    dkim_results: (record) => dkimLines(record, verdictOf(record, report).alignment.dkim).join(SEPARATOR),
    spf: ({ spf_pass }) => outcome(spf_pass),
    spf_results: (record) => spfLines(record, verdictOf(record, report).alignment.spf).join(SEPARATOR),
    disposition: ({ disposition }) => disposition,
    reasons: ({ reasons }) =>
      (reasons ?? []).map(({ type, comment }) => [type, comment].filter(Boolean).join(': ')).join(SEPARATOR),
  };
}
