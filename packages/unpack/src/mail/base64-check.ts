const LINE = /^[A-Za-z0-9+/]*={0,2}$/;

/** Looks at the lines of a base64 body for what RFC 2045 (6.8) does not know, which a decoder passes over. */
export class Base64Check {
  #symbols = 0;
  #isLoose = false;

  /** One line of the body, of which only the beginning may be at hand. */
  line(start: string, length: number): void {
    const text = start.trimEnd();
    this.#symbols += length - (start.length - text.length);
    if (!LINE.test(text)) this.#isLoose = true;
  }

  /** True when there were other characters in it, or its padding is missing. */
  get isLoose(): boolean {
    return this.#isLoose || this.#symbols % 4 !== 0;
  }
}
