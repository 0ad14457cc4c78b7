import type { RawFeedback, RawRecord } from './raw-report.ts';

/** Receives the parts of one `<feedback>` from the collector, in document order. */
export interface FeedbackSink {
  /** The root has begun; an outer element means that it is wrapped in something else. */
  begin(namespace: string | undefined, wrapped: boolean): void;
  /** A whole record; `position` is 1-based. The feedback holds what came before it. */
  record(raw: RawRecord, position: number, feedback: RawFeedback): void;
  end(feedback: RawFeedback): void;
  warn(code: string, detail: string | null, record: number | null): void;
}

export const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
