import type { ReportArrival } from '@dmarc-ledger/vocabulary';

/** The context of a document, besides its bytes. */
export interface ReadContext extends ReportArrival {
  /** File name of the document, a hint (RFC 9990, 3.5.2). */
  name?: string | null;
}
