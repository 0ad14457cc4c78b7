import type { Ask, Fetched, Found, MailServer, Presented, TlsaRecord } from '@dmarc-ledger/dns-records';

/** The published records, by name and kind. `?`: the query fails. */
export interface Zone {
  [name: string]: {
    text?: string[] | '?';
    /** In place of `text`: the texts that each name server has. */
    servers?: string[][];
    mx?: string[] | '?';
    a?: string[] | '?';
    /** The addresses of one family alone are known. */
    isPartial?: boolean;
    tlsa?: { records: Partial<TlsaRecord>[]; secure?: boolean } | '?';
    page?: Fetched;
    /** The chain that a mail server of this name presents; absent: no connection. */
    shown?: Presented;
    /** The chain at the second query. */
    shownThen?: Presented;
    /** The answer to MX is validated; `?`: the resolver fails on it. */
    signed?: boolean | '?';
  };
}

/** Answers queries from a zone that a test defines. */
export function askZone(zone: Zone, isValidating = true): Ask {
  const found = <Value>(values: readonly Value[] | '?' | undefined): Found<Value> => {
    if (values === '?') return { kind: 'unconfirmed', reason: 'timeout' };
    return values === undefined || values.length === 0 ? { kind: 'none' } : { kind: 'found', values };
  };
  const texts = (name: string): Found<string> => {
    const { text, servers } = zone[name] ?? {};
    if (!servers) return found(text);
    const said = servers.map((records, i) => ({ server: `ns${i}.test`, outcome: 'found' as const, records }));
    return { ...found([...new Set(servers.flat())]), servers: said };
  };
  const mailServers = (name: string): Found<MailServer> => {
    const answer = found(zone[name]?.mx);
    if (answer.kind !== 'found') return answer;
    return { kind: 'found', values: answer.values.map((host, preference) => ({ host, preference })) };
  };
  return {
    isValidating,
    text: async (name) => texts(name),
    addresses: async (name) => ({ ...found(zone[name]?.a), ...(zone[name]?.isPartial && { isPartial: true }) }),
    isNameAbsent: async (name) => zone[name] === undefined,
    mailServers: async (name) => mailServers(name),
    validatedMailServers: async (name) => ({
      found: zone[name]?.signed === '?' ? { kind: 'unconfirmed', reason: 'servfail' } : mailServers(name),
      isSecure: isValidating && (zone[name]?.signed ?? true) === true,
    }),
    tlsa: async (name) => {
      const tlsa = zone[name]?.tlsa;
      if (tlsa === '?' || tlsa === undefined) return { found: found(tlsa), isSecure: false };
      const usual = { usage: 3, selector: 1, matching: 1, data: Buffer.alloc(32, 1) };
      const records = tlsa.records.map((record) => ({ ...usual, ...record }));
      return { found: found(records), isSecure: isValidating && (tlsa.secure ?? true) };
    },
    fetch: async (host, path) => zone[`${host}${path}`]?.page ?? { kind: 'silent', reason: 'timeout' },
    presented: async (host, { isRecent } = { isRecent: false }) =>
      (isRecent ? zone[host]?.shownThen : undefined) ?? zone[host]?.shown ?? { kind: 'unasked' },
  };
}
