import type { DnsRecord, RecordData, RecordType } from './record.ts';

/** The origin of an answer. */
export interface AnswerOrigin {
  /** `address:port` of the server. */
  server: string;
  /** AA: the server is authoritative for the zone. */
  authoritative: boolean;
  /** AD: the server has validated the answer (RFC 4035). As trustworthy as the server and the network to it. */
  authenticated: boolean;
  /** The authority section. */
  authority: readonly DnsRecord[];
}

export interface DnsAnswer<Type extends RecordType> extends AnswerOrigin {
  outcome: 'answer';
  /** The records' data, in the order of the answer; at least one. */
  data: readonly RecordData[Type][];
  /** Seconds; the minimum over the records and the aliases that led to them. */
  ttl: number;
  /** The names from the queried one to the one with the records. */
  aliases: readonly string[];
  /** The number of records left out because their names contain invalid characters. */
  dropped: number;
}

/** The name has no records of this type, or it does not exist. */
export interface DnsAbsence extends AnswerOrigin {
  outcome: 'nodata' | 'nxdomain';
  /** The zone that reports it, which contains the name; undefined without an SOA record. */
  zone?: string | undefined;
  /** Seconds for which this is valid (RFC 2308, 5), if the zone says so. */
  ttl: number | undefined;
  aliases: readonly string[];
  dropped: number;
}

/** The server refers to others. From a resolver, that is a failure: it does not resolve. */
export interface DnsReferral extends AnswerOrigin {
  outcome: 'referral';
}

/** The name is an alias of one that this server does not know. Only returned for a server that is queried directly. */
export interface DnsAlias extends AnswerOrigin {
  outcome: 'alias';
  target: string;
  /** The names on the way, the target last. */
  aliases: readonly string[];
  /** Seconds. */
  ttl: number;
}

/**
 * - `servfail`, `refused`, `formerr`: the server's response code. Any other code counts as `servfail`.
 * - `timeout`: no reply. `network`: the server is unreachable. `malformed`: an answer that cannot be parsed.
 * - `alias_limit`: a chain of more than eight aliases, or a loop.
 * - `invalid_name`: cannot be queried. `forbidden_server`: must not be queried. `overloaded`: too many wait already.
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

/** Nothing is known. Must never count as an absence. */
export interface DnsFailure {
  outcome: DnsFailureCode;
  detail: string;
  server?: string;
}

/** The outcome of a question. Nothing is thrown: all of these are facts. */
export type DnsFact<Type extends RecordType = RecordType> =
  | DnsAnswer<Type>
  | DnsAbsence
  | DnsReferral
  | DnsAlias
  | DnsFailure;

/** True for a fact that answers the question, including an absence. */
export function isSettled<Type extends RecordType>(fact: DnsFact<Type>): fact is DnsAnswer<Type> | DnsAbsence {
  return fact.outcome === 'answer' || fact.outcome === 'nodata' || fact.outcome === 'nxdomain';
}
