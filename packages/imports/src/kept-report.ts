/** An aggregate report as another tool kept it. What the tool did not keep is null or missing, never a guess. */
export interface KeptReport {
  version: string | null;
  reporterName: string | null;
  email: string | null;
  extraContactInfo: string | null;
  reportId: string;
  /** First and last second of the window, in seconds since 1970. */
  begin: number;
  end: number;
  errors: string[];
  generator: string | null;
  policy: KeptPolicy;
  records: KeptRecord[];
}

/** The policy published, as texts. */
export interface KeptPolicy {
  domain: string;
  discoveryMethod?: string | null;
  p: string | null;
  sp?: string | null;
  np?: string | null;
  fo?: string | null;
  adkim?: string | null;
  aspf?: string | null;
  testing?: string | null;
  pct?: string | null;
}

export interface KeptRecord {
  sourceIp: string;
  count: number;
  disposition: string | null;
  dkim: string | null;
  spf: string | null;
  reasons: { type: string | null; comment?: string | null }[];
  envelopeTo?: string | null;
  envelopeFrom?: string | null;
  headerFrom: string | null;
  dkimResults: { domain: string; selector?: string | null; result: string | null; humanResult?: string | null }[];
  spfResults: { domain: string; scope?: string | null; result: string | null; humanResult?: string | null }[];
}

/** What a reader finds: a report, what a reporter sent, or something that cannot be read. */
export type Found =
  | { kind: 'kept'; name: string; report: KeptReport }
  | { kind: 'raw'; name: string; content: Buffer }
  | { kind: 'unreadable'; name: string; code: UnreadableCode };

export const unreadable = {
  not_json: 'It is not valid JSON.',
  not_csv: 'It is not valid CSV.',
  file_unreadable: 'The file cannot be read, or is damaged.',
  other_kind: 'It is not an aggregate report.',
  report_incomplete: 'The report has no domain, id or window.',
  report_without_records: 'The report has no record that could be read.',
  report_too_large: 'The report has more than 200,000 records.',
  count_unreadable: 'The number of messages of a record is not a whole number.',
  address_unreadable: 'The source of a record is not an address.',
  raw_unreadable: 'The stored raw report is neither XML nor gzip in base64; its records are read instead.',
  line_too_long: 'A line is longer than 64 MiB.',
} as const;
export type UnreadableCode = keyof typeof unreadable;

/** The most records that are held in memory for one report. */
export const RECORDS_OF_A_REPORT = 200_000;
