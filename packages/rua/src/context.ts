/** What a reader is told of the document besides its bytes. */
export interface ReadContext {
  /** When the report came in, in epoch seconds: what its window is compared with. */
  receivedAt: number;
  /** File name of the document, a hint (RFC 9990, 3.5.2). */
  name?: string | null;
}
