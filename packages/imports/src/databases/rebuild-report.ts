import { type Found, type KeptRecord, RECORDS_OF_A_REPORT, type UnreadableCode } from '../kept-report.ts';
import { countOf, type Fields, textOf } from '../read-values.ts';

/** How a tool names what a row of a report has; the columns whose names tools share are read as they are. */
interface RowReading {
  tool: string;
  domain: (row: Fields) => unknown;
  reportId: (row: Fields) => unknown;
  errors?: (row: Fields) => string[];
  record: (row: Fields) => KeptRecord | UnreadableCode;
}

/** Rebuilds a report from its row and those of its records. Records that cannot be read are named; the others stay. */
export function* rebuildReport(row: Fields, given: readonly Fields[], reading: RowReading): Generator<Found> {
  const name = `${reading.tool}, report ${String(row['id'])}`;
  const records: KeptRecord[] = [];
  for (const each of given) {
    const record = reading.record(each);
    if (typeof record === 'string') yield { kind: 'unreadable', name, code: record };
    else records.push(record);
  }
  const [domain, reportId] = [textOf(reading.domain(row)), textOf(reading.reportId(row))];
  const [begin, end] = [countOf(row['begins']), countOf(row['ends'])];
  if (domain === null || reportId === null || begin === undefined || end === undefined)
    return yield { kind: 'unreadable', name, code: 'report_incomplete' };
  if (records.length === 0) return yield { kind: 'unreadable', name, code: 'report_without_records' };
  if (records.length > RECORDS_OF_A_REPORT) return yield { kind: 'unreadable', name, code: 'report_too_large' };
  const policy = {
    domain,
    p: textOf(row['policy_p']),
    sp: textOf(row['policy_sp']),
    np: textOf(row['policy_np']),
    fo: textOf(row['policy_fo']),
    adkim: textOf(row['policy_adkim']),
    aspf: textOf(row['policy_aspf']),
    pct: textOf(row['policy_pct']),
  };
  const metadata = {
    version: null,
    reporterName: textOf(row['org']),
    email: textOf(row['email']),
    extraContactInfo: textOf(row['extra_contact_info']),
    errors: reading.errors?.(row) ?? [],
    generator: null,
  };
  yield { kind: 'kept', name, report: { ...metadata, reportId, begin, end, policy, records } };
}
