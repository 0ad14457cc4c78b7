import type { DnsRecord, RecordData, RecordType } from './record.ts';

/** How an answer came about. */
export interface AnswerOrigin {
  /** `address:port` of the server. */
  server: string;
  /** AA: the server speaks for the zone. */
  authoritative: boolean;
  /** AD: the server has validated what it says (RFC 4035). Worth as much as the server and the way to it. */
  authenticated: boolean;
  /** The authority section. */
  authority: readonly DnsRecord[];
}

export interface DnsAnswer<Type extends RecordType> extends AnswerOrigin {
  outcome: 'answer';
  /** What the records hold, in the order of the answer; at least one. */
  data: readonly RecordData[Type][];
  /** Seconds; the least of the records and the aliases that led to them. */
  ttl: number;
  /** The names that led from the one asked for to the one that has the records. */
  aliases: readonly string[];
  /** Records that were left out, for their names hold characters that no name may be taken for. */
  dropped: number;
}

/** The name has no records of this type, or it does not exist. */
export interface DnsAbsence extends AnswerOrigin {
  outcome: 'nodata' | 'nxdomain';
  /** The zone that says so, which the name lies in; undefined where no SOA record tells. */
  zone?: string | undefined;
  /** Seconds for which this may be believed (RFC 2308, 5), when the zone says so. */
  ttl: number | undefined;
  aliases: readonly string[];
  dropped: number;
}

/** The server points to others. Of a resolver, that is a failure: it does not resolve. */
export interface DnsReferral extends AnswerOrigin {
  outcome: 'referral';
}

/** The name stands for another one, which this server does not know. Only a server asked directly says no more. */
export interface DnsAlias extends AnswerOrigin {
  outcome: 'alias';
  target: string;
  /** The names on the way, the target last. */
  aliases: readonly string[];
  /** Seconds. */
  ttl: number;
}

/**
 * - `servfail`, `refused`, `formerr`: the server says so. Any other code counts as `servfail`.
 * - `timeout`: silence. `network`: no way to the server. `malformed`: an answer that cannot be read.
 * - `alias_limit`: a chain of more than eight aliases, or a loop.
 * - `invalid_name`: cannot be asked for. `forbidden_server`: not to be asked. `overloaded`: too many wait already.
 * - `aborted`: the caller did not wait.
 */
export type DnsFailureCode =
  | 'servfail'
  | 'refused'
  | 'formerr'
  | 'timeout'
  | 'network'
  | 'malformed'
  | 'alias_limit'
  | 'invalid_name'
  | 'forbidden_server'
  | 'overloaded'
  | 'aborted';

/** Nothing is known. Never to be taken for an absence. */
export interface DnsFailure {
  outcome: DnsFailureCode;
  detail: string;
  server?: string;
}

/** The one way a question can end. Nothing is thrown: all of these are facts. */
export type DnsFact<Type extends RecordType = RecordType> =
  | DnsAnswer<Type>
  | DnsAbsence
  | DnsReferral
  | DnsAlias
  | DnsFailure;

/** True for a fact that answers the question, be it with nothing. */
export function isSettled<Type extends RecordType>(fact: DnsFact<Type>): fact is DnsAnswer<Type> | DnsAbsence {
  return fact.outcome === 'answer' || fact.outcome === 'nodata' || fact.outcome === 'nxdomain';
}
