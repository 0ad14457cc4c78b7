const MAX_NAME = 253;

/** The value found for a name, with its suffix. */
export interface SuffixMatch<Value> {
  suffix: string;
  value: Value;
}

/**
 * Values by domain, found for any name at or below it, at label boundaries only: `notsendgrid.net` is not below
 * `sendgrid.net`. The longest suffix wins; of two values for one suffix the first stays. (rules,
 * senders/matching-of-names)
 */
export class SuffixTable<Value> {
  readonly #values = new Map<string, Value>();

  add(suffix: string, value: Value): void {
    if (!this.#values.has(suffix)) this.#values.set(suffix, value);
  }

  /** `name` is normalized: lower case, no trailing dot. */
  find(name: string): SuffixMatch<Value> | undefined {
    if (name.length > MAX_NAME) return undefined;
    for (let start = 0; ;) {
      const suffix = name.slice(start);
      const value = this.#values.get(suffix);
      if (value !== undefined) return { suffix, value };
      const dot = name.indexOf('.', start);
      if (dot < 0) return undefined;
      start = dot + 1;
    }
  }
}
