import type { KeptRecord } from './kept-report.ts';

/** A record, and the part of the report's window that a tool has put it in. */
export interface DayRecord {
  record: KeptRecord;
  /** In seconds since 1970; undefined where the tool does not split records. */
  begin: number | undefined;
}

/** Of equal records, their places among the joined ones; a part of the window has as many, the first of them. */
interface Equal {
  places: number[];
  ofPart: Map<number | undefined, number>;
}

/**
 * Joins the parts into which a tool has split a record by day: equal but for the count, and in different parts of the
 * window. The counts add up to what was reported. Equal records of one part stay apart, as the reporter sent them.
 */
export function joinDays(parts: readonly DayRecord[]): KeptRecord[] {
  if (new Set(parts.map(({ begin }) => begin)).size < 2) return parts.map(({ record }) => record);
  const joined: KeptRecord[] = [];
  const byText = new Map<string, Equal>();
  for (const { record, begin } of parts) {
    const text = JSON.stringify({ ...record, count: 0 });
    const equal: Equal = byText.get(text) ?? { places: [], ofPart: new Map() };
    byText.set(text, equal);
    const before = equal.ofPart.get(begin) ?? 0;
    equal.ofPart.set(begin, before + 1);
    const place = equal.places[before];
    const other = place === undefined ? undefined : joined[place];
    if (place !== undefined && other) joined[place] = { ...other, count: other.count + record.count };
    else equal.places.push(joined.push(record) - 1);
  }
  return joined;
}

/** In an order that does not depend on that of an export. */
export function inOrder(records: readonly KeptRecord[]): KeptRecord[] {
  return records
    .map((record) => ({ record, text: JSON.stringify(record) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ record }) => record);
}
