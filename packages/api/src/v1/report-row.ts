import type { ReportListRow } from '@dmarc-ledger/queries';
import { idText, instantText, rate } from '@dmarc-ledger/vocabulary';
import { Attachment } from '../http/answer.ts';
import { csvAttachment } from '../http/csv.ts';
import { JSON_TYPE } from '../http/headers.ts';

export function toReportRow(row: ReportListRow) {
  return {
    id: idText(row.id),
    report_id: row.report_id,
    org_name: row.reporter_name,
    domain: row.domain,
    total_messages: row.messages,
    compliant_messages: row.compliant,
    compliance_rate: rate(row.compliant, row.messages),
    policy_p: row.policy_p,
    date_begin: instantOrNull(row.date_begin),
    date_end: instantOrNull(row.date_end),
    received_at: instantText(row.received_at),
  };
}

type ReportRow = ReturnType<typeof toReportRow>;

const columns = [
  'id',
  'report_id',
  'org_name',
  'domain',
  'total_messages',
  'compliant_messages',
  'compliance_rate',
  'policy_p',
  'date_begin',
  'date_end',
] as const;

/** Converts the page to CSV without the time of receipt; the window as days. */
export function asReportCsv(reports: ReportRow[]): Attachment {
  const cells = reports.map((row) => ({
    ...row,
    date_begin: dayOrNull(row.date_begin),
    date_end: dayOrNull(row.date_end),
  }));
  return csvAttachment(
    'reports.csv',
    columns,
    cells.map((row) => columns.map((column) => row[column])),
  );
}

export function asReportJson(reports: ReportRow[]): Attachment {
  return new Attachment(JSON_TYPE, 'reports.json', JSON.stringify(reports));
}

export function instantOrNull(value: Date | null): string | null {
  return value && instantText(value);
}

function dayOrNull(text: string | null): string | null {
  return text && text.slice(0, 10);
}
