/** The server answered, and what it says cannot be used. */
export type RejectionReason = 'certificate' | 'redirect' | 'not_found' | 'status' | 'too_large' | 'malformed';

/** Nothing is known: to be tried again. */
export type UnreachableReason = 'timeout' | 'refused' | 'reset' | 'network' | 'dns' | 'overloaded';

/**
 * - `fetched`: status 200. What it is of, its reader decides: the media type is what the host calls it, and may be
 * empty.
 * - `rejected`: an answer, and no document. What it says is not kept.
 * - `unreachable`: no answer.
 * - `no_host`: the name has no address.
 * - `forbidden`: not a name of a host, or it leads to an address that is not to be connected to.
 */
export type FetchFact =
  | { outcome: 'fetched'; body: Buffer; mediaType: string }
  | { outcome: 'rejected'; reason: RejectionReason; status?: number }
  | { outcome: 'unreachable'; reason: UnreachableReason }
  | { outcome: 'no_host' }
  | { outcome: 'forbidden'; reason: 'host' | 'address' };

/** What a request ends with that brought no answer one could read. */
export type Unanswered = Exclude<FetchFact, { outcome: 'fetched' }>;
