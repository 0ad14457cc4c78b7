/**
 * What was found at a name. `none` is said by authoritative servers that agree; all that is less is `unconfirmed`, and
 * never a negative.
 */
export type Found<Value> =
  | { kind: 'found'; values: readonly Value[] }
  | { kind: 'none' }
  | { kind: 'unconfirmed'; reason: string };

export interface MailServer {
  preference: number;
  /** Empty: the domain takes no mail. (RFC 7505) */
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
  /** It answered, and what it answered cannot be used: certificate, redirect, status, size. */
  | { kind: 'rejected'; reason: string }
  /** It did not answer. */
  | { kind: 'silent'; reason: string };

/** What a mail server shows of itself at port 25. */
export type Presented =
  /** Certificates, the server's own first, as DER: of each of its addresses that answered. */
  | { kind: 'chains'; chains: readonly (readonly Uint8Array[])[] }
  /** It could not be made to show any: what it has is not known. */
  | { kind: 'unknown'; reason: string }
  /** Nobody connects to mail servers here. */
  | { kind: 'unasked' };

/** Who asks on behalf of the checks. All questions are about public names; nothing here knows how they are asked. */
export interface Ask {
  text: (name: string) => Promise<Found<string>>;
  mailServers(name: string): Promise<Found<MailServer>>;
  addresses(name: string): Promise<Found<string>>;
  /** Whether there is a validating resolver to ask. Without one, nothing is secure. */
  isValidating: boolean;
  validatedMailServers(name: string): Promise<Validated<MailServer>>;
  tlsa(name: string): Promise<Validated<TlsaRecord>>;
  fetch(host: string, path: string): Promise<Fetched>;
  /** `isRecent`: not what it showed more than a minute ago. */
  presented(mailServer: string, options?: { isRecent: boolean }): Promise<Presented>;
}
