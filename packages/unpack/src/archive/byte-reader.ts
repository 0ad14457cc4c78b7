/** Reads a stream of chunks by number of bytes, and takes back unused bytes. */
export class ByteReader {
  readonly #iterator: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#iterator = chunks[Symbol.asyncIterator]();
  }

  /** The next chunk, of whatever length; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    if (this.#rest.length > 0) return this.#takeRest();
    for (;;) {
      const { done, value } = await this.#iterator.next();
      if (done) return undefined;
      if (value.length > 0) return value;
    }
  }

  /** Exactly `length` bytes, fewer at the end. */
  async read(length: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const chunk = await this.next();
      if (!chunk) break;
      chunks.push(chunk.subarray(0, missing));
      if (chunk.length > missing) this.unread(chunk.subarray(missing));
      missing -= Math.min(missing, chunk.length);
    }
    return Buffer.concat(chunks);
  }

  unread(bytes: Buffer): void {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([bytes, this.#rest]) : bytes;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }

  #takeRest(): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest;
  }
}
