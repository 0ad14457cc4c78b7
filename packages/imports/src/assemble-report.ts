import { type DayRecord, joinDays } from './join-days.ts';
import {
  type Found,
  type KeptPolicy,
  type KeptRecord,
  type KeptReport,
  RECORDS_OF_A_REPORT,
  type UnreadableCode,
} from './kept-report.ts';

/** What a tool kept of a report besides its records. Without domain, id and window it is no report. */
export interface Header extends Omit<KeptReport, 'reportId' | 'begin' | 'end' | 'policy' | 'records'> {
  reportId: string | null;
  /** First and last second of the window, in seconds since 1970. */
  begin: number | undefined;
  end: number | undefined;
  policy: Omit<KeptPolicy, 'domain'> & { domain: string | null };
}

/** A record, or why it cannot be read; where the tool splits records by day, with the begin of its part. */
export interface Part {
  record: KeptRecord | UnreadableCode;
  begin?: number | undefined;
}

/** A report of its parts, or why there is none. Records that cannot be read are named, and the others kept. */
export function* assembleReport(name: string, header: Header, parts: Iterable<Part>): Generator<Found> {
  const days: DayRecord[] = [];
  for (const { record, begin } of parts) {
    if (days.length > RECORDS_OF_A_REPORT) break;
    if (typeof record === 'string') yield { kind: 'unreadable', name, code: record };
    else days.push({ record, begin });
  }
  const { reportId, begin, end, policy } = header;
  const { domain } = policy;
  if (domain === null || reportId === null || begin === undefined || end === undefined)
    return yield { kind: 'unreadable', name, code: 'report_incomplete' };
  if (days.length === 0) return yield { kind: 'unreadable', name, code: 'report_without_records' };
  if (days.length > RECORDS_OF_A_REPORT) return yield { kind: 'unreadable', name, code: 'report_too_large' };
  const report = { ...header, reportId, begin, end, policy: { ...policy, domain }, records: joinDays(days) };
  yield { kind: 'kept', name, report };
}
