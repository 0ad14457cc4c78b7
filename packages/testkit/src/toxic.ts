/**
 * The faults of a connection; may be changed while it is in use. Patterns match the bytes as Latin-1, so the connection
 * must be in plaintext. A fault that ends a connection happens once and is then removed, unless `always` is set.
 */
export interface Toxic {
  /** Every piece of a reply is delayed by this. */
  latencyMs?: number;
  /** The rate at which replies arrive. */
  bytesPerSecond?: number;
  /** Nothing passes, either way, and neither side is notified; bytes sent meanwhile arrive when this is removed. */
  blackHole?: boolean;
  /** Connections are ended as soon as they are made. */
  refuse?: boolean;
  /** Ends the connection after so many bytes of replies, counted from a request where one is named. */
  cut?: { afterBytes: number; request?: RegExp };
  /** Ends the connection when this request is seen, which does not arrive. */
  dropRequest?: RegExp;
  /** Lets this request arrive, and ends the connection instead of passing on the answer. */
  dropReplyAfter?: RegExp;
  /** Ends the connection when this reply is seen, which does not arrive. */
  dropReply?: RegExp;
  /** Lets this reply arrive and ends the connection then. */
  resetAfterReply?: RegExp;
  always?: boolean;
}

/** Longer than any match of a pattern. */
const TAIL = 1_000;

/** Finds patterns in a stream, also across two pieces, each occurrence once. */
export class Watch {
  #before = '';

  /** The offset in this piece at which the pattern's first occurrence ends; null when none ends here. */
  find(pattern: RegExp | undefined, piece: Buffer): number | null {
    if (!pattern) return null;
    const text = this.#before + piece.toString('latin1');
    const all = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
    for (const match of text.matchAll(all)) {
      const end = match.index + match[0].length - this.#before.length;
      if (end > 0) return end;
    }
    return null;
  }

  /** Keeps the piece, when all patterns have been searched for in it. */
  pass(piece: Buffer): void {
    this.#before = (this.#before + piece.toString('latin1')).slice(-TAIL);
  }
}
