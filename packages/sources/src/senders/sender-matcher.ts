import { readDomainName } from '@dmarc-ledger/vocabulary';
import { SuffixTable, type SuffixMatch } from './suffix-table.ts';
import { senderEntries } from './sender-data.ts';
import type { Sender, SenderEntry } from './sender.ts';

export type SenderMatch = SuffixMatch<Sender>;

/** Finds the service of a name or a network. Names match at label boundaries; the longest entry wins. */
export interface SenderMatcher {
  /** By host name. The caller decides whether the name is trusted. */
  byHostName(name: string): SenderMatch | undefined;
  /** By the `d=` of a passing signature. */
  byDkimDomain: (domain: string) => SenderMatch | undefined;
  /** By the domain that passed SPF: the service's return-path domains and the names of its hosts. */
  bySpfDomain: (domain: string) => SenderMatch | undefined;
  byAsn(asn: number): Sender | undefined;
  /** By a name in a published SPF record: the service that it authorises. */
  bySpfInclude(name: string): SenderMatch | undefined;
  bySlug(slug: string): Sender | undefined;
}

/** Compiles the entries once. If two entries have the same name, the slug that sorts first wins. */
export function compileSenders(entries: readonly SenderEntry[]): SenderMatcher {
  const hosts = new SuffixTable<Sender>();
  const signers = new SuffixTable<Sender>();
  const returnPaths = new SuffixTable<Sender>();
  const includes = new SuffixTable<Sender>();
  const networks = new Map<number, Sender>();
  const slugs = new Map<string, Sender>();
  for (const entry of entries.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))) {
    const { slug, name, icon, category, forwarder } = entry;
    const sender: Sender = Object.freeze({ slug, name, icon, category, forwarder });
    slugs.set(slug, sender);
    for (const suffix of entry.ptr_suffixes) hosts.add(suffix, sender);
    for (const domain of entry.dkim_domains) signers.add(domain, sender);
    for (const domain of [...entry.dkim_domains, ...entry.ptr_suffixes]) returnPaths.add(domain, sender);
    for (const include of entry.spf_includes) includes.add(include, sender);
    for (const asn of entry.asn ?? []) if (!networks.has(asn)) networks.set(asn, sender);
  }
  return {
    byHostName: (name) => find(hosts, name),
    byDkimDomain: (domain) => find(signers, domain),
    bySpfDomain: (domain) => find(returnPaths, domain),
    byAsn: (asn) => networks.get(asn),
    bySpfInclude: (name) => find(includes, name),
    bySlug: (slug) => slugs.get(slug),
  };
}

function find(table: SuffixTable<Sender>, text: string): SenderMatch | undefined {
  const name = readDomainName(text);
  return name === undefined ? undefined : table.find(name);
}

/** The matcher of the services that this release knows. */
export const knownSenders: SenderMatcher = compileSenders(senderEntries);
