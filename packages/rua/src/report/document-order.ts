/** The parts of a report in the order of its schema, by the codes of their warnings. (RFC 9990, appendix A) */
const PARTS: readonly RegExp[] = [
  /^(?:namespace_|xml_|encoding_|byte_order|declaration_)/,
  /^version_/,
  /^org_name_/,
  /^email_/,
  /^report_id_/,
  /^date_range_/,
  /^policy_/,
];
const RECORDS = PARTS.length + 1;

/**
 * Returns the place of a warning in its report, for sorting: its part of the header, or its first record. Warnings
 * about the records as a whole come where records begin, those about the whole document last.
 * @param record the first record that it is about (1-based); null for the header or the whole report
 */
export function placeOf(code: string, record: number | null): number {
  if (record !== null) return RECORDS + record;
  if (code === 'null_report' || code === 'records_missing') return RECORDS;
  if (code === 'element_unknown' || code === 'xml_trailing_garbage') return Number.MAX_SAFE_INTEGER;
  const part = PARTS.findIndex((pattern) => pattern.test(code));
  return part < 0 ? PARTS.length : part;
}
