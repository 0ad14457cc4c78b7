import type { FinishedMessage } from '@dmarc-ledger/ledger';
import type { MessageSource } from '@dmarc-ledger/schema';

/** A delivery that has come to its end. */
export interface EndedDelivery extends Pick<FinishedMessage, 'id' | 'state' | 'code' | 'parts'> {
  orgId: string;
  source: MessageSource;
  /** When its bytes were opened, in milliseconds since 1970; undefined where they were not. */
  openedAt?: number | undefined;
}

/** Told of what intake has done, once that is committed. After a crash in between it is not told: it is for figures. */
export interface IntakeObserver {
  /** Bytes have arrived; not fresh: the same were there before. */
  received: (source: MessageSource, arrival: { fresh: boolean; refusal?: string | undefined }) => void;
  finished: (ended: EndedDelivery) => void;
}
