/**
 * What is wrong with a line; may be changed while it is in use. Patterns are of the bytes as Latin-1, so the line must be
 * one in clear. What ends a connection happens once and is then taken back, unless `always` is set.
 */
export interface Toxic {
  /** Every piece of a reply is so late. */
  latencyMs?: number;
  /** How fast replies drip. */
  bytesPerSecond?: number;
  /** Nothing gets through, either way, and nobody is told; what was sent meanwhile arrives when this is taken back. */
  blackHole?: boolean;
  /** Connections are ended as soon as they are made. */
  refuse?: boolean;
  /** Ends the connection after so many bytes of replies, counted from a request where one is named. */
  cut?: { afterBytes: number; request?: RegExp };
  /** Ends the connection when this request is seen, which does not arrive. */
  dropRequest?: RegExp;
  /** Lets this request arrive, and ends the connection instead of passing on what is answered. */
  dropReplyAfter?: RegExp;
  /** Ends the connection when this reply is seen, which does not arrive. */
  dropReply?: RegExp;
  /** Lets this reply arrive and ends the connection then. */
  resetAfterReply?: RegExp;
  always?: boolean;
}

/** Longer than what a pattern is to find. */
const TAIL = 1_000;

/** Finds patterns in what flows by, also where one lies across two pieces, each occurrence once. */
export class Watch {
  #before = '';

  /** Where in this piece the pattern's first occurrence ends; null when it has none that ends here. */
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

  /** Remembers the piece, when all patterns have been looked for in it. */
  pass(piece: Buffer): void {
    this.#before = (this.#before + piece.toString('latin1')).slice(-TAIL);
  }
}
