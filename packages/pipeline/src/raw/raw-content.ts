import type { Kind } from '@dmarc-ledger/unpack';

/** Raw bytes as they came in. */
export interface RawContent {
  /** By their first bytes. */
  kind: Kind;
  /** In bytes; null where it is known only at the end. */
  size: number | null;
  /** Must be read to its end, or closed. */
  content: AsyncIterable<Buffer>;
}

/** What reading raw bytes needs. */
export interface RawKey {
  orgId: string;
  id: string;
}
