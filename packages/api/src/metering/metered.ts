import type { Window } from '@dmarc-ledger/limits';

/** The progress of a request, for its headers and for the stored usage. */
export interface Metered {
  /** The clock hour that it counts for, once its caller is known. */
  hour?: number;
  /** The quota at the time of the request; undefined if it was refused earlier. */
  window?: Window;
}
