import type { RecordClass } from '@dmarc-ledger/dmarc';

// Defines the columns that every rollup of sources has, once for the statements that add a report's part and for those
// that recompute a key. `r` is `stored_record`, `p` its report. The audit defines them a second time on purpose: see
// audit/expectations.ts.

/** Messages of failing mail by class, with the rollup column that counts them. */
const CLASS_COLUMNS: readonly { column: string; named: RecordClass }[] = [
  { column: 'forwarded', named: 'likely_forwarded' },
  { column: 'suspicious', named: 'suspicious' },
  { column: 'needs_review', named: 'needs_review' },
];

/** Reports and messages of some records. A message is compliant if DKIM or SPF passes. (rules, counts/counters) */
export const MESSAGE_SUMS = `count(distinct r.report_id) as reports, coalesce(sum(r.messages), 0)::bigint as messages,
        coalesce(sum(r.messages) filter (where r.dkim_pass or r.spf_pass), 0)::bigint as compliant,
        coalesce(sum(r.messages) filter (where r.spf_pass), 0)::bigint as spf_pass,
        coalesce(sum(r.messages) filter (where r.dkim_pass), 0)::bigint as dkim_pass`;

/** Messages of a group of records by their class, where they fail; and those whose forwarding is proved. */
export const CLASS_SUMS = [
  ...CLASS_COLUMNS.map(
    ({ column, named }) => `coalesce(sum(r.messages) filter (where r.class = '${named}'), 0)::bigint as ${column}`,
  ),
  'coalesce(sum(r.messages) filter (where r.proved), 0)::bigint as proved',
].join(',\n        ');

/** The change in each class of failing mail when records change their class from `old` to `new`. */
export const CLASS_CHANGES = [
  ...CLASS_COLUMNS.map(
    ({ column, named }) =>
      `sum(case when new = '${named}' then messages else 0 end
      - case when old = '${named}' then messages else 0 end) as ${column}`,
  ),
  `sum(case when new_proved then messages else 0 end - case when old_proved then messages else 0 end) as proved`,
].join(',\n      ');

/** When mail was seen first and last: the earliest begin and the latest end of its reports. */
export const SEEN = 'min(p.date_begin) as first_seen, max(p.date_end) as last_seen';

/** The failures in a row of a rollup: a message without aligned SPF and without aligned DKIM counts twice. */
export function authFailures(row = ''): string {
  const of = row === '' ? '' : `${row}.`;
  return `2 * ${of}messages - ${of}spf_pass - ${of}dkim_pass`;
}

/** The condition for a record that counts as forwarded; `class` is its column. */
export const IS_FORWARDED = `class = '${CLASS_COLUMNS[0]!.named}'`;
