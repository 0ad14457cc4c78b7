/** The claims in the header of the outermost message about its delivery. None is verified. */
export interface Envelope {
  /** Instant of the topmost Received field, in epoch seconds. */
  receivedAt: number | null;
  /** Domain of the From field; null unless there is exactly one. */
  from: string | null;
  /** Recipient addresses of the message, their domains normalized, each once. */
  recipients: string[];
  /** The values of the Authentication-Results fields, topmost first. */
  authenticationResults: string[];
}
