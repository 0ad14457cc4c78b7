import type { FinishedMessage } from '@dmarc-ledger/ledger';
import type { MessageSource } from '@dmarc-ledger/schema';

/** A finished delivery. */
export interface EndedDelivery extends Pick<FinishedMessage, 'id' | 'state' | 'code' | 'parts'> {
  orgId: string;
  source: MessageSource;
  /** When its bytes were opened, in milliseconds since 1970; undefined where they were not. */
  openedAt?: number | undefined;
}

/** Receives what intake has done, once that is committed. A crash in between loses the call: it is for metrics only. */
export interface IntakeObserver {
  /** Bytes have been received; `fresh` is false when the same bytes were stored before. */
  received: (source: MessageSource, arrival: { fresh: boolean; refusal?: string | undefined }) => void;
  finished: (ended: EndedDelivery) => void;
}
