const LINE = /^[A-Za-z0-9+/]*={0,2}$/;

/** Checks the lines of a base64 body for characters that RFC 2045 (6.8) does not allow and that a decoder skips. */
export class Base64Check {
  #symbols = 0;
  #isLoose = false;

  /** One line of the body, which may be only its beginning. */
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
