import { present } from '@dmarc-ledger/vocabulary';
import type { AskOptions, DnsClient } from '../dns/dns-client.ts';
import type { DnsFact } from '../dns/dns-fact.ts';
import { encodableName, isTooLong } from '../dns/encodable-name.ts';
import { MAX_ALIASES } from '../dns/limits.ts';
import type { RecordData, RecordType } from '../dns/record.ts';
import { unconfirmed, type AuthorityFact, type ServerSaid } from './authority-fact.ts';
import { findZoneServers, resolveServers, type NameServer, type ServerSearch } from './find-servers.ts';

const REFERRALS = 5;
/** Servers that must agree on an absence. */
const AGREEING = 2;

interface Question<Type extends RecordType> {
  name: string;
  type: Type;
}

/**
 * Queries at least two of a zone's own servers for a name, and combines their answers. Follows aliases and delegations.
 * (rules, domain-checks/answers-of-name-servers)
 */
export async function askAuthorities<Type extends RecordType>(
  search: ServerSearch,
  text: string,
  type: Type,
  options: AskOptions = {},
): Promise<AuthorityFact<Type>> {
  const seen = new Set<string>();
  let beside: Found<Type> | undefined;
  for (let name = encodableName(text); name !== undefined;) {
    if (seen.has(name) || seen.size > MAX_ALIASES) return beside ?? unconfirmed('aliases lead in a circle, or too far');
    seen.add(name);
    const said = await askZone(search, { name, type }, options);
    if (!('target' in said)) return beside ? united(beside, said) : { name, ...said };
    if (said.beside) beside = united(beside ?? { ...said.beside, data: [], name }, said.beside);
    name = encodableName(said.target);
  }
  if (beside) return beside;
  if (isTooLong(text)) return { outcome: 'absent', isNameAbsent: true, servers: [] };
  return unconfirmed('the name cannot be encoded in a DNS message');
}

type Found<Type extends RecordType> = Extract<AuthorityFact<Type>, { outcome: 'found' }>;

/** An alias, and the records that other servers of the zone have in its place, if there are any. */
interface Alias<Type extends RecordType> {
  target: string;
  beside?: Found<Type>;
}

/** A record that one server has is there, also where others have an alias that leads elsewhere or nowhere. */
function united<Type extends RecordType>(one: Found<Type>, other: AuthorityFact<Type>): Found<Type> {
  if (other.outcome !== 'found') return one;
  const data = new Map([...one.data, ...other.data].map((each) => [keyOf(each), each]));
  const said = [...(one.said ?? []), ...(other.said ?? [])];
  return { ...one, data: [...data.values()], servers: [...one.servers, ...other.servers], said };
}

async function askZone<Type extends RecordType>(
  search: ServerSearch,
  question: Question<Type>,
  options: AskOptions,
): Promise<AuthorityFact<Type> | Alias<Type>> {
  let hosts = await findZoneServers(search, question.name, options);
  for (let referrals = 0; referrals <= REFERRALS; referrals += 1) {
    if ('reason' in hosts) return unconfirmed(hosts.reason);
    const { servers, count } = await resolveServers(search, hosts, options);
    if (servers.length === 0) return unconfirmed('no server of the zone can be queried');
    const facts = await askServers(search.client, servers, question, options);
    const combined = combine(facts, count);
    const isOpen = 'outcome' in combined && combined.outcome === 'unconfirmed';
    const below = isOpen ? facts.flatMap(serversIn) : []; // a server that lacks the zone overrules none that has it
    if (below.length > 0) {
      hosts = below;
      continue;
    }
    const said = facts.map((fact, i) => saidBy(servers[i], fact));
    if (!('target' in combined)) return { ...combined, said };
    return combined.beside ? { ...combined, beside: { ...combined.beside, said } } : combined;
  }
  return unconfirmed('delegations lead too far');
}

/** Queries two servers, then others until the answer is settled. */
async function askServers<Type extends RecordType>(
  client: DnsClient,
  servers: readonly NameServer[],
  question: Question<Type>,
  options: AskOptions,
): Promise<DnsFact<Type>[]> {
  const ask = (server: NameServer) => askServer(client, server, question, options);
  const facts = await Promise.all(servers.slice(0, AGREEING).map(ask));
  for (const server of servers.slice(AGREEING)) {
    const isEnough =
      facts.some((fact) => isSaid(fact) && fact.outcome !== 'nodata' && fact.outcome !== 'nxdomain') ||
      facts.filter(isSaid).length >= AGREEING;
    if (isEnough) break;
    facts.push(await ask(server));
  }
  return facts;
}

/** Queries a server at its first address, and at the second if that is not authoritative. */
async function askServer<Type extends RecordType>(
  client: DnsClient,
  { addresses }: NameServer,
  { name, type }: Question<Type>,
  options: AskOptions,
): Promise<DnsFact<Type>> {
  let fact: DnsFact<Type> | undefined;
  for (const address of addresses) {
    fact = await client.askDirectly(address, name, type, { ...options, fresh: true });
    if (isSaid(fact) || fact.outcome === 'referral') return fact;
  }
  return present(fact);
}

/**
 * False for a server that is not authoritative (AA), or that does not name the zone of an absence, or that denies
 * nothing: its answer has records with names that cannot be read.
 */
function isSaid(fact: DnsFact): boolean {
  switch (fact.outcome) {
    case 'answer':
    case 'alias':
      return fact.authoritative;
    case 'nodata':
    case 'nxdomain':
      return fact.authoritative && fact.zone !== undefined && fact.dropped === 0;
    default:
      return false;
  }
}

function combine<Type extends RecordType>(
  facts: readonly DnsFact<Type>[],
  servers: number,
): AuthorityFact<Type> | Alias<Type> {
  const said = facts.filter(isSaid);
  const alias = said.find((fact) => fact.outcome === 'alias');
  const found = new Map<string, RecordData[Type]>();
  for (const fact of said) if (fact.outcome === 'answer') for (const data of fact.data) found.set(keyOf(data), data);
  const names = said.flatMap((fact) => ('server' in fact && fact.server !== undefined ? [fact.server] : []));
  if (alias?.outcome === 'alias') {
    const beside = { outcome: 'found' as const, data: [...found.values()], servers: names };
    return { target: alias.target, ...(found.size > 0 && { beside }) };
  }
  const target = said.flatMap((fact) => ('aliases' in fact ? fact.aliases.slice(-1) : [])).at(0);
  if (found.size > 0) {
    const end = target === undefined ? {} : { name: target }; // a server of both zones answers with what stands there
    return { outcome: 'found', data: [...found.values()], servers: names, ...end };
  }
  if (target !== undefined) return { target }; // its own servers decide
  if (said.length < Math.min(AGREEING, servers)) return unconfirmed(facts.map(({ outcome }) => outcome).join(', '));
  return { outcome: 'absent', isNameAbsent: said.every(({ outcome }) => outcome === 'nxdomain'), servers: names };
}

function serversIn(fact: DnsFact): string[] {
  if (fact.outcome !== 'referral') return [];
  return fact.authority.flatMap(({ type, data }) => (type === 'NS' ? [data as RecordData['NS']] : []));
}

/** The facts are in the order of the servers; the last of these may not have been asked. */
function saidBy<Type extends RecordType>(server: NameServer | undefined, fact: DnsFact<Type>): ServerSaid<Type> {
  const host = server?.host ?? '';
  if (!isSaid(fact)) return { host, outcome: 'unanswered', data: [], reason: fact.outcome };
  if (fact.outcome === 'answer') return { host, outcome: 'found', data: fact.data };
  return { host, outcome: 'absent', data: [] };
}

/** Equal records from two servers are one, also where these divide a text into other strings. (RFC 7208, 3.3) */
function keyOf(data: unknown): string {
  if (Array.isArray(data) && data.every((part) => part instanceof Uint8Array))
    return Buffer.concat(data).toString('hex');
  return JSON.stringify(data, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
}
