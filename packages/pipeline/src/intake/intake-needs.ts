import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Claimant } from '@dmarc-ledger/ledger';
import type { LongLane } from './long-lane.ts';
import type { StoreNeeds } from './store-batches.ts';

/** What intake works with. */
export interface IntakeNeeds extends StoreNeeds {
  blobs: BlobStore;
  claimant: Claimant;
  /** Stores long deliveries beside the small ones, so that these never wait. Without it, each is stored in its turn. */
  lane?: LongLane;
  /** Receives what went wrong and is not kept in the ledger. */
  onFault: (message: string, error: unknown) => void;
  /** How long an organization's turn lasts, in milliseconds; deliveries not yet opened by then wait for its next turn. */
  turnMs?: number;
  /** Records stored in a day (UTC) for one organization, of what others send it. */
  recordsADay?: number;
  /** The most that one transaction stores: deliveries, and bytes of their content. */
  load?: { deliveries: number; bytes: number };
}
