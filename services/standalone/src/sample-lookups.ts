import type { Ask, Found, MailServer } from '@dmarc-ledger/dns-records';
import type { Outside } from '@dmarc-ledger/pipeline';
import { sampleAddress, type SampleAddress, sampleZone, type SampleZone } from '@dmarc-ledger/samples';
import { type Blocklist, builtInLists, interpretAnswer, type ListResult, listsToAsk } from '@dmarc-ledger/sources';
import type { LookupAnswers } from '@dmarc-ledger/worker-service';

/** Lookups about the samples' addresses and domains are answered with what the samples bring along. */
export const answersOfSamples: LookupAnswers = { outside: addressesOfSamples, ask: recordsOfSamples };

/** The source of facts that the samples bring along, where an answer names its source. */
const SOURCE = 'sample data';

/** The name servers that answer for all sample domains. */
const SERVERS = ['ns1.dns-host.example', 'ns2.dns-host.example'];

/** Answers lookups of addresses of the samples with what the samples bring along; all others go to the outside. */
function addressesOfSamples(outside: Outside): Outside {
  return {
    async reverse(address) {
      const host = sampleAddress(address);
      if (!host) return await outside.reverse(address);
      if (host.hostName === undefined) return { outcome: 'none' };
      return { outcome: 'found', names: [{ name: host.hostName, confirmed: true }] };
    },
    async lists(address, scope) {
      const host = sampleAddress(address);
      if (!host) return await outside.lists(address, scope);
      return {
        results: listsToAsk(builtInLists, address, scope).map(({ list }) => listing(list, host)),
        suspended: [],
      };
    },
    async place(address) {
      const host = sampleAddress(address);
      if (!host) return await outside.place(address);
      const [countryCode, country] = host.country;
      const city = host.city === undefined ? {} : { city: host.city };
      return { facts: { countryCode, country, ...city, asn: host.asn, isp: host.isp }, build: null };
    },
    async reputation(address) {
      const host = sampleAddress(address);
      if (!host) return await outside.reputation(address);
      return { outcome: 'found', facts: reputationOf(host), source: SOURCE };
    },
  };
}

function listing(list: Blocklist, { listedBy }: SampleAddress): ListResult {
  if (!listedBy?.includes(list.id)) return interpretAnswer(list, { outcome: 'nxdomain' });
  return interpretAnswer(list, { outcome: 'addresses', addresses: ['127.0.0.2'], texts: [SOURCE] });
}

function reputationOf({ abuse, isp, country: [countryCode, country] }: SampleAddress) {
  return {
    abuseScore: abuse?.score ?? 0,
    abuseReports: abuse?.reports ?? 0,
    abuseCategories: abuse ? ['Email Spam'] : [],
    isp,
    countryCode,
    country,
    hostNames: [],
    whitelisted: false,
    tor: false,
  };
}

/**
 * Answers the check of a sample domain with what the samples publish, and nothing else is asked for it; the check of
 * any other domain asks the DNS. The first name that is asked decides which it is.
 */
function recordsOfSamples(ask: Ask): Ask {
  let chosen: Ask | undefined;
  const of = (name: string) => (chosen ??= answersOf(sampleZone(name), ask));
  return {
    isValidating: ask.isValidating,
    text: (name) => of(name).text(name),
    mailServers: (name) => of(name).mailServers(name),
    addresses: (name) => of(name).addresses(name),
    isNameAbsent: (name) => of(name).isNameAbsent(name),
    validatedMailServers: (name) => of(name).validatedMailServers(name),
    tlsa: (name) => of(name).tlsa(name),
    fetch: (host, path) => of(host).fetch(host, path),
    presented: (host, options) => of(host).presented(host, options),
  };
}

function answersOf(zone: SampleZone | undefined, ask: Ask): Ask {
  if (!zone) return ask;
  const mailServers = async (name: string): Promise<Found<MailServer>> =>
    found(zone.mx?.[name]?.map((host, i) => ({ preference: 10 * (i + 1), host })));
  return {
    isValidating: false,
    async text(name) {
      const texts = zone.txt?.[name] ?? zone.txt?.[wildcardOf(name)];
      const outcome = texts ? ('found' as const) : ('absent' as const);
      return { ...found(texts), servers: SERVERS.map((server) => ({ server, outcome, records: texts ?? [] })) };
    },
    mailServers,
    addresses: async (name) => found(zone.addresses?.[name]),
    isNameAbsent: async (name) => !namesOf(zone).some((known) => known === name || known.endsWith(`.${name}`)),
    validatedMailServers: async (name) => ({ found: await mailServers(name), isSecure: false }),
    tlsa: async () => ({ found: { kind: 'none' }, isSecure: false }),
    async fetch(host) {
      const file = zone.files?.[host];
      return file ? { kind: 'text', ...file } : { kind: 'rejected', reason: 'the host serves no such file' };
    },
    presented: async () => ({ kind: 'unasked' }),
  };
}

function namesOf({ txt, mx, addresses }: SampleZone): string[] {
  return [txt, mx, addresses].flatMap((records) => Object.keys(records ?? {}));
}

function found<Value>(values: readonly Value[] | undefined): Found<Value> {
  return values ? { kind: 'found', values } : { kind: 'none' };
}

/** The wildcard that covers a name. (RFC 4592) */
function wildcardOf(name: string): string {
  return name.replace(/^[^.]*/, '*');
}
