import type { KeptRecord } from './kept-report.ts';

/** A record, and the part of the report's window that a tool has put it in. */
export interface DayRecord {
  record: KeptRecord;
  /** In seconds since 1970; undefined where the tool does not split records. */
  begin: number | undefined;
}

/**
 * Joins the parts into which a tool has split a record by day: equal but for the count, and in different parts of the
 * window. The counts add up to what was reported. Equal records of one part stay apart, as the reporter sent them.
 */
export function joinDays(parts: readonly DayRecord[]): KeptRecord[] {
  if (new Set(parts.map(({ begin }) => begin)).size < 2) return parts.map(({ record }) => record);
  const joined: { record: KeptRecord; days: Set<number | undefined> }[] = [];
  const byText = new Map<string, typeof joined>();
  for (const { record, begin } of parts) {
    const text = JSON.stringify({ ...record, count: 0 });
    const equal = byText.get(text) ?? [];
    const other = equal.find(({ days }) => !days.has(begin));
    if (other) {
      other.record = { ...other.record, count: other.record.count + record.count };
      other.days.add(begin);
      continue;
    }
    const first = { record, days: new Set([begin]) };
    joined.push(first);
    byText.set(text, [...equal, first]);
  }
  return joined.map(({ record }) => record);
}

/** In an order that does not depend on that of an export. */
export function inOrder(records: readonly KeptRecord[]): KeptRecord[] {
  return records
    .map((record) => ({ record, text: JSON.stringify(record) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ record }) => record);
}
