import { assembleReport } from '../assemble-report.ts';
import type { Found, KeptRecord, UnreadableCode } from '../kept-report.ts';
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
export function rebuildReport(row: Fields, given: readonly Fields[], reading: RowReading): Generator<Found> {
  const header = {
    version: null,
    reporterName: textOf(row['org']),
    email: textOf(row['email']),
    extraContactInfo: textOf(row['extra_contact_info']),
    reportId: textOf(reading.reportId(row)),
    begin: countOf(row['begins']),
    end: countOf(row['ends']),
    errors: reading.errors?.(row) ?? [],
    generator: null,
    policy: {
      domain: textOf(reading.domain(row)),
      p: textOf(row['policy_p']),
      sp: textOf(row['policy_sp']),
      np: textOf(row['policy_np']),
      fo: textOf(row['policy_fo']),
      adkim: textOf(row['policy_adkim']),
      aspf: textOf(row['policy_aspf']),
      pct: textOf(row['policy_pct']),
    },
  };
  const parts = given.values().map((each) => ({ record: reading.record(each) }));
  return assembleReport(`${reading.tool}, report ${String(row['id'])}`, header, parts);
}
