const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: { [word: string]: boolean | null } = { true: true, false: false, null: null };

/** Receives the fault, and whether the text only ended too early. */
type Refuse = (message: string, isCut: boolean) => never;

/** Reads the tokens of a JSON text. */
export class JsonScanner {
  readonly #text: string;
  readonly #refuse: Refuse;
  #at = 0;

  constructor(text: string, refuse: Refuse) {
    this.#text = text;
    this.#refuse = refuse;
  }

  /** Consumes this character if it is the next one. */
  take(sign: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  expect(sign: string): void {
    if (!this.take(sign)) this.#fail(`${sign} expected`);
  }

  expectEnd(): void {
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#fail('more text after the value');
  }

  readScalar(): string | number | boolean | null {
    this.#match(SPACE);
    if (this.#text[this.#at] === '"') return this.readString();
    const word = this.#match(WORD);
    if (word) return WORDS[word]!;
    const number = this.#match(NUMBER);
    return number ? Number(number) : this.#fail('a value expected');
  }

  readString(): string {
    this.expect('"');
    const start = this.#at - 1;
    for (let end = this.#text.indexOf('"', this.#at); end >= 0; end = this.#text.indexOf('"', end + 1)) {
      if (this.#isEscaped(end)) continue;
      this.#at = end + 1;
      return this.#unquote(this.#text.slice(start, end + 1));
    }
    return this.#refuse('a string does not end', true);
  }

  /** True for a quote after an odd number of backslashes. */
  #isEscaped(quote: number): boolean {
    let first = quote;
    while (first > this.#at && this.#text[first - 1] === '\\') first -= 1;
    return (quote - first) % 2 === 1;
  }

  /** Decodes escapes with JSON.parse; the token is one string, so nothing can be nested in it. */
  #unquote(token: string): string {
    try {
      const text: string = JSON.parse(token); // a quoted text is a string, or throws
      return text;
    } catch {
      return this.#refuse(`a string has an invalid character before character ${this.#at}`, false);
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #fail(message: string): never {
    return this.#refuse(`${message} at character ${this.#at + 1}`, this.#at >= this.#text.length);
  }
}
