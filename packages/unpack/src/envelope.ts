/** The claims in the header of the outermost message about its delivery. None is verified. */
export interface Envelope {
  /** Instant of the topmost Received field, in epoch seconds. */
  receivedAt: number | null;
  /** Domain of the From field; null unless there is exactly one. */
  from: string | null;
  /** Recipient addresses of the message, their domains normalized, each once. */
  recipients: string[];
  /** The Authentication-Results and Received fields, topmost first. */
  trace: TraceField[];
}

/** A field that each server adds above what it received: their order is that of the servers. (RFC 8601, 4.1) */
export interface TraceField {
  name: 'received' | 'authentication-results';
  value: string;
}
