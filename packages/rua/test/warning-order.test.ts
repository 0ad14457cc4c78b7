import { expect, it } from 'vitest';
import { placeOf } from '../src/report/document-order.ts';

it('warnings are in the order of the document: header, policy, records by number, and the whole document last', () => {
  const inOrder = [
    ['xml_uppercase_tags', null],
    ['version_missing', null],
    ['org_name_missing', null],
    ['email_invalid', null],
    ['report_id_missing', null],
    ['date_range_long', null],
    ['policy_p_missing', null],
    ['filename_disagrees', null],
    ['null_report', null],
    ['count_zero', 1],
    ['source_ip_redacted', 2],
    ['xml_template_leak', 10],
    ['element_unknown', null],
  ] as const;
  const places = inOrder.map(([code, record]) => placeOf(code, record));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(places.length);
});
