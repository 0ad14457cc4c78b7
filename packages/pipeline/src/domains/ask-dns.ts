import type { Ask, Found, MailServer, ServerAnswer, TlsaRecord, Validated } from '@dmarc-ledger/dns-records';
import {
  askAuthorities,
  isSettled,
  isTooLong,
  joinText,
  type AuthorityFact,
  type DnsClient,
  type GuardedFetch,
  type RecordData,
  type RecordType,
  type ServerSearch,
  type SmtpProbe,
} from '@dmarc-ledger/lookups';
import { markedText } from '@dmarc-ledger/vocabulary';
import { toFetched, toPresented } from './host-answers.ts';

export interface AskNeeds {
  dns: DnsClient;
  search: ServerSearch;
  https: GuardedFetch;
  /** Undefined: mail servers are not connected to. */
  smtp?: SmtpProbe | undefined;
  /** Whether the resolvers validate DNSSEC and the path to them can be trusted. */
  isValidating: boolean;
}

/**
 * The most names that are queried, whatever a domain publishes; the most names of TLSA records among them; beside them
 * the most names below the domain that mail was sent from; the most mail servers.
 */
const NAMES = 80;
const SENDING_NAMES = 20;
const TLSA_NAMES = 15;
const MAIL_SERVERS = 10;

/**
 * Queries DNS for one check of one domain: the authoritative servers of each zone, each question once. A resolver is
 * queried only where its validation is needed.
 */
export function askDns({ dns, search, https, smtp, isValidating }: AskNeeds, signal: AbortSignal): Ask {
  const asked = new Map<string, Promise<AuthorityFact>>();
  const mayAsk = budget(NAMES);
  const mayAskSending = budget(SENDING_NAMES);
  const mayAskTlsa = budget(TLSA_NAMES);
  const mayConnect = budget(MAIL_SERVERS);
  const authorities = <Type extends RecordType>(
    name: string,
    type: Type,
    may = mayAsk,
  ): Promise<AuthorityFact<Type>> => {
    const key = `${type} ${name}`;
    const ask = () => (may(name) ? askAuthorities(search, name, type, { signal }) : Promise.resolve(TOO_MANY));
    const known = asked.get(key) ?? ask();
    asked.set(key, known);
    return known as Promise<AuthorityFact<Type>>; // the key holds the type
  };
  const found = async <Type extends RecordType, Value>(
    name: string,
    type: Type,
    read: (data: RecordData[Type]) => Value,
  ): Promise<Found<Value>> => {
    const fact = await authorities(name, type);
    if (fact.outcome === 'found') return { kind: 'found', values: fact.data.map(read) };
    return fact.outcome === 'absent' ? { kind: 'none' } : { kind: 'unconfirmed', reason: fact.reason };
  };
  const validated = async <Type extends RecordType, Value>(
    name: string,
    type: Type,
    read: (data: RecordData[Type]) => Value,
  ): Promise<Validated<Value>> => {
    if (isTooLong(name)) return { found: { kind: 'none' }, isSecure: false };
    if (!mayAsk(name) || (type === 'TLSA' && !mayAskTlsa(name))) return { found: unanswered, isSecure: false };
    const fact = await dns.ask(name, type, { signal, fresh: true });
    if (!isSettled(fact)) return { found: { kind: 'unconfirmed', reason: fact.outcome }, isSecure: false };
    const isSecure = isValidating && fact.authenticated;
    if (fact.outcome !== 'answer') return { found: fact.dropped > 0 ? UNREADABLE : { kind: 'none' }, isSecure };
    return { found: { kind: 'found', values: fact.data.map(read) }, isSecure };
  };
  return {
    isValidating,
    async text(name) {
      const answer = await found(name, 'TXT', toText);
      return { ...answer, servers: serverAnswers(await authorities(name, 'TXT'), name) };
    },
    mailServers: (name) => found(name, 'MX', toMailServer),
    async addresses(name) {
      const facts = await Promise.all([found(name, 'A', String), found(name, 'AAAA', String)]);
      const values = facts.flatMap((fact) => (fact.kind === 'found' ? fact.values : []));
      const unconfirmed = facts.find(({ kind }) => kind === 'unconfirmed');
      if (values.length > 0) return { kind: 'found', values, ...(unconfirmed && { isPartial: true }) };
      return unconfirmed ?? { kind: 'none' };
    },
    async isNameAbsent(name) {
      const fact = await authorities(name, 'TXT', mayAskSending);
      return fact.outcome === 'absent' && fact.isNameAbsent;
    },
    validatedMailServers: (name) => validated(name, 'MX', toMailServer),
    tlsa: (name) => validated(name, 'TLSA', toTlsa),
    fetch: async (host, path, options) => toFetched(await https.fetch(host, path), options),
    async presented(host, options) {
      if (!smtp) return { kind: 'unasked' };
      if (!mayConnect(host)) return { kind: 'unknown', reason: `only ${MAIL_SERVERS} mail servers are contacted` };
      return toPresented(await smtp.ask(host, options));
    },
  };
}

function toText(strings: RecordData['TXT']): string {
  return markedText(joinText(strings));
}

/** What each server answered that was asked for a text. */
function serverAnswers({ said = [], name: last }: AuthorityFact<'TXT'>, name: string): ServerAnswer[] {
  const alias = last === undefined || last === name ? {} : { alias: last };
  return said.map(({ host, outcome, data, reason }) => ({
    server: host,
    outcome,
    records: data.map(toText),
    ...alias,
    ...(reason !== undefined && { reason }),
  }));
}

const TOO_MANY: AuthorityFact = { outcome: 'unconfirmed', reason: 'a check queries no more names for one domain' };
/** What an answer without records would deny, had it none with names that cannot be read. */
const UNREADABLE = { kind: 'unconfirmed', reason: 'the answer has names that cannot be read' } as const;
const unanswered = { kind: 'unconfirmed', reason: TOO_MANY.reason } as const;

/** Whether a name may still be queried; a name that was queried before may be queried again. */
function budget(names: number): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => known.has(name) || (known.size < names && Boolean(known.add(name)));
}

function toMailServer({ preference, exchange }: RecordData['MX']): MailServer {
  return { preference, host: exchange === '.' ? '' : exchange };
}

function toTlsa({ usage, selector, matchingType, certificate }: RecordData['TLSA']): TlsaRecord {
  return { usage, selector, matching: matchingType, data: Buffer.from(certificate) };
}
