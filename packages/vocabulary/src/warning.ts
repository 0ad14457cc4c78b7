/** A departure of an accepted input from the standard. (rules, reading-reports/treatment-of-departures) */
export interface Warning {
  code: string;
  detail: string | null;
}

const RECORDS_SHOWN = 5;

interface Entry {
  detail: string | null;
  /** The record it was first added for; null for another part. */
  first: number | null;
  records: number[];
  count: number;
}

/**
 * Collects warnings, each code once. Record numbers (1-based) are collected for each code, the first
 * five are named and the others counted, so that a report of a million odd records gives one line for each code.
 */
export class WarningList {
  readonly #byCode = new Map<string, Entry>();

  add(code: string, detail: string | null = null, record: number | null = null): void {
    let entry = this.#byCode.get(code);
    if (!entry) {
      entry = { detail, first: record, records: [], count: 0 };
      this.#byCode.set(code, entry);
    }
    if (record === null) return;
    if (entry.records.at(-1) === record) return;
    entry.count += 1;
    if (entry.records.length < RECORDS_SHOWN) entry.records.push(record);
  }

  get size(): number {
    return this.#byCode.size;
  }

  /**
   * Returns the warnings by their place, equal ones in the order in which they were added.
   * @param placeOf by the code, and the record that it was first added for; without it, all are equal
   */
  toArray(placeOf: (code: string, record: number | null) => number = () => 0): Warning[] {
    const ordered = [...this.#byCode].toSorted(
      ([a, one], [b, other]) => placeOf(a, one.first) - placeOf(b, other.first),
    );
    return ordered.map(([code, { detail, records, count }]) => {
      const more = count > records.length ? ` and ${count - records.length} more` : '';
      const where = records.length ? `record ${records.join(', ')}${more}` : null;
      return { code, detail: [detail, where].filter((part) => part !== null).join('; ') || null };
    });
  }
}

/** Formats a warning as `code`, or `code: detail`. */
export function warningText({ code, detail }: Warning): string {
  return detail === null ? code : `${code}: ${detail}`;
}
