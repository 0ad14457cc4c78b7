import type { Claimant } from '@dmarc-ledger/ledger';
import type { LongLane } from './long-lane.ts';
import type { StoreNeeds } from './store-batches.ts';

/** What intake works with. */
export interface IntakeNeeds extends StoreNeeds {
  claimant: Claimant;
  /**
   * Stores long deliveries beside the small ones, so that small ones never wait. Without it, each is stored in its
   * turn.
   */
  lane?: LongLane;
  /** Receives faults that are not kept in the ledger. */
  onFault: (message: string, error: unknown) => void;
  /** Length of an organization's turn, in milliseconds; deliveries not opened by then wait for its next turn. */
  turnMs?: number;
  /** Ends a turn early: deliveries not yet opened wait for the next process. */
  stopping?: AbortSignal;
  /** The most records that a day (UTC) stores for one organization from deliveries that others sent. */
  recordsADay?: number;
  /** The most that one transaction stores: the number of deliveries, and the bytes of their content. */
  load?: { deliveries: number; bytes: number };
}
