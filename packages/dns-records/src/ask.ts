/**
 * The answer for a name. `none` means that authoritative servers agree; anything less is `unconfirmed`, and never a
 * negative.
 */
export type Found<Value> = (
  | { kind: 'found'; values: readonly Value[] }
  | { kind: 'none' }
  | { kind: 'unconfirmed'; reason: string }
) & { servers?: readonly ServerAnswer[] };

/** Addresses of a name; partial where those of IPv4 or IPv6 are unconfirmed. */
type FoundAddresses = Found<string> & { isPartial?: boolean };

/** What one name server answered; absent where the client does not ask the servers one by one. */
export interface ServerAnswer {
  /** Its host name. */
  server: string;
  outcome: 'found' | 'absent' | 'unanswered';
  records: readonly string[];
  /** The name that it was asked for, where an alias led to another one. */
  alias?: string;
  /** Why an answer does not count. */
  reason?: string;
}

export interface MailServer {
  preference: number;
  /** Empty: the domain accepts no mail. (RFC 7505) */
  host: string;
}

export interface TlsaRecord {
  usage: number;
  selector: number;
  matching: number;
  data: Buffer;
}

/** An answer of a validating resolver. */
export interface Validated<Value> {
  found: Found<Value>;
  /** The resolver has validated it. (AD bit, RFC 4035, 3.2.3) */
  isSecure: boolean;
}

/** A text fetched from a host by HTTPS. */
export type Fetched =
  | { kind: 'text'; body: string; mediaType: string | null }
  /** The answer cannot be used: certificate, redirect, status, size. */
  | { kind: 'rejected'; reason: string }
  /** The host did not answer. */
  | { kind: 'silent'; reason: string };

/** The certificates of a mail server at port 25. */
export type Presented =
  /** Certificate chains in DER, the server's own certificate first, one for each address that answered. */
  | { kind: 'chains'; chains: readonly (readonly Uint8Array[])[] }
  /** No certificate was received, so it is unknown. */
  | { kind: 'unknown'; reason: string }
  /** This installation does not connect to mail servers. */
  | { kind: 'unasked' };

/** The queries that checks need. All are about public names; the implementation is passed in. */
export interface Ask {
  text: (name: string) => Promise<Found<string>>;
  mailServers(name: string): Promise<Found<MailServer>>;
  addresses(name: string): Promise<FoundAddresses>;
  /** True if the authoritative servers agree that the name does not exist (NXDOMAIN), false for any other answer. */
  isNameAbsent(name: string): Promise<boolean>;
  /** Whether a validating resolver is available. Without one, nothing is secure. */
  isValidating: boolean;
  validatedMailServers(name: string): Promise<Validated<MailServer>>;
  tlsa(name: string): Promise<Validated<TlsaRecord>>;
  /** `mayBeGzip`: a compressed document is inflated. */
  fetch(host: string, path: string, options?: { mayBeGzip: boolean }): Promise<Fetched>;
  /** `isRecent`: not older than a minute. */
  presented(mailServer: string, options?: { isRecent: boolean }): Promise<Presented>;
}
