import type { Window } from '@dmarc-ledger/limits';

/** How far a request has come, for its headers and for the usage on record. */
export interface Metered {
  /** The clock hour that it belongs to, once its caller is known. */
  hour?: number;
  /** How the quota stood when it was asked; undefined for a request that was refused before. */
  window?: Window;
}
