/** The most statements that one connection keeps prepared: each occupies memory of the server. */
const MOST = 200;
/** The most texts that are remembered: lists of changing length make ever new ones. */
const MOST_TEXTS = 1_000;
/** Returns the columns that the table has now: prepared, it fails after a migration that adds one. */
const RETURNS_ALL = /^select (?:"\w+"\.)?\*|returning (?:"\w+"\.)?\*$/;

/** Names for the statements that a connection runs more than once, so that the server plans each of them once. */
export class StatementNames {
  /** By text; empty after the first use. */
  readonly #names = new Map<string, string>();
  #count = 0;

  /** Undefined for a statement that is not to be prepared. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known) return known;
    if (known === undefined) {
      if (this.#names.size < MOST_TEXTS && !RETURNS_ALL.test(text)) this.#names.set(text, '');
      return undefined;
    }
    if (this.#count === MOST) return undefined;
    this.#count += 1;
    const name = `statement-${this.#count}`;
    this.#names.set(text, name);
    return name;
  }
}
