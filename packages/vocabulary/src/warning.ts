/** A departure of an accepted input from the standard. (rules, reading-reports/treatment-of-departures) */
export interface Warning {
  code: string;
  detail: string | null;
}

const RECORDS_SHOWN = 5;

/**
 * Collects warnings in document order, each code once. Record numbers (1-based) are collected for each code, the first
 * five are named and the others counted, so that a report of a million odd records gives one line for each code.
 */
export class WarningList {
  readonly #byCode = new Map<string, { detail: string | null; records: number[]; count: number }>();

  add(code: string, detail: string | null = null, record: number | null = null): void {
    let entry = this.#byCode.get(code);
    if (!entry) {
      entry = { detail, records: [], count: 0 };
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

  toArray(): Warning[] {
    return [...this.#byCode].map(([code, { detail, records, count }]) => {
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
