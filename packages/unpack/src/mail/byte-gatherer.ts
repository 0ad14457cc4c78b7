const BLOCK = 256 * 1024;

/** Joins pieces, however small they are: a list of millions of them would cost more than their content. */
export class ByteGatherer {
  readonly #blocks: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  #used = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    this.#length += piece.length;
    for (let from = 0; from < piece.length;) {
      if (this.#used === this.#block.length) this.#next(piece.length - from);
      const copied = piece.copy(this.#block, this.#used, from);
      this.#used += copied;
      from += copied;
    }
  }

  /** All of it in one; nothing may be added afterwards. */
  take(): Buffer {
    const last = this.#block.subarray(0, this.#used);
    return this.#blocks.length === 0 ? last : Buffer.concat([...this.#blocks, last]);
  }

  /** The first block is small: most parts are. */
  #next(wanted: number): void {
    if (this.#used > 0) this.#blocks.push(this.#block);
    this.#block = Buffer.allocUnsafeSlow(this.#length <= BLOCK ? Math.max(wanted, 4_096) : BLOCK);
    this.#used = 0;
  }
}
