import { type RawBuilder, sql } from 'kysely';

/**
 * Warnings of reports with conflicting copies, and of records that are dropped, for an `in`. `count_invalid` also warns
 * of counts that were understood. (rules, coverage/dropped-records)
 */
export const coverageWarnings = sql.join(
  [
    'duplicate_report_id_conflict',
    'count_invalid',
    'count_missing',
    'count_negative',
    'row_missing',
    'source_ip_invalid',
    'source_ip_leading_zero',
    'source_ip_missing',
    'source_ip_redacted',
    'xml_template_leak',
  ].map((code) => sql.lit(code)),
);

/**
 * The number of records in a warning, by its detail: `record 1, 2 and 5 more`, or for redacted addresses
 * `9 messages in 3 records`.
 */
export function droppedRecords(warning: string): RawBuilder<number> {
  const code = sql.ref(`${warning}.code`);
  const detail = sql.ref(`${warning}.detail`);
  const numbers = sql`substring(${detail} from 'record ([0-9, ]+)')`;
  return sql`case
    when ${code} = 'source_ip_redacted' then
      coalesce(substring(${detail} from ' in ([0-9]{1,9}) records'), '1')::bigint
    else coalesce(1 + length(${numbers}) - length(replace(${numbers}, ',', '')), 1)
      + coalesce(substring(${detail} from ' and ([0-9]{1,9}) more$'), '0')::bigint end`;
}
