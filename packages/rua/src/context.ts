import type { ReportArrival } from '@dmarc-ledger/vocabulary';

/** What a reader knows besides the bytes of a document. */
export interface ReadContext extends ReportArrival {
  /** File name of the document, a hint (RFC 9990, 3.5.2). */
  name?: string | null;
}
