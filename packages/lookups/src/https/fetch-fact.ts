/** The server answered, but the answer cannot be used. */
export type RejectionReason = 'certificate' | 'redirect' | 'not_found' | 'status' | 'too_large' | 'malformed';

/** Nothing is known: to be retried. */
export type UnreachableReason = 'timeout' | 'refused' | 'reset' | 'network' | 'dns' | 'overloaded';

/**
 * - `fetched`: status 200. The reader interprets the text: the media type is the host's claim, and may be empty.
 * - `rejected`: an answer without a document. Its body is not kept.
 * - `unreachable`: no answer.
 * - `no_host`: the name has no address.
 * - `forbidden`: not a host name, or an address that must not be connected to.
 */
export type FetchFact =
  | { outcome: 'fetched'; body: Buffer; mediaType: string }
  | { outcome: 'rejected'; reason: RejectionReason; status?: number }
  | { outcome: 'unreachable'; reason: UnreachableReason }
  | { outcome: 'no_host' }
  | { outcome: 'forbidden'; reason: 'host' | 'address' };

/** The outcomes without a readable answer. */
export type Unanswered = Exclude<FetchFact, { outcome: 'fetched' }>;
