import { isIPv6 } from 'node:net';
import { cutText, present } from '@dmarc-ledger/vocabulary';
import type { Ask, Found } from '../ask.ts';
import { recordsAt } from '../records/servers-differ.ts';
import { expandDomain } from './expand-domain.ts';
import { evaluatedOf, readSpf, type Mechanism, type SpfRecord } from './read-spf.ts';
import { newTerm, SPF_TREE_LIMITS, type SpfTerm, type SpfTree } from './spf-tree.ts';
import { spfCandidates } from './survey-spf.ts';

const MX_HOSTS = 10;
/** Matches every address. */
const ANY = ['0.0.0.0/0', '::/0'];

/** The state of one reading: the tree so far, and what is left of its limits. */
interface Reading {
  ask: Ask;
  isComplete: boolean;
  lookups: number;
  terms: number;
  networks: number;
}

/**
 * Reads the SPF record of a domain with everything that it refers to, and the addresses that the terms match. Undefined
 * when the domain's own record is not known. A larger tree than `SPF_TREE_LIMITS` is cut. (rules, spf/tree)
 */
export async function readSpfTree(ask: Ask, domain: string): Promise<SpfTree | undefined> {
  const answer = recordsAt(await ask.text(domain), spfCandidates);
  if (answer.kind === 'unconfirmed') return undefined;
  const candidates = answer.kind === 'found' ? answer.values : [];
  if (candidates.length !== 1) return { domain, record: null, terms: [], isComplete: true };
  const text = present(candidates[0]);
  const record = readSpf(text);
  const kept = cutText(text, SPF_TREE_LIMITS.record);
  if ('reason' in record) return { domain, record: kept, terms: [], isComplete: true };
  const reading: Reading = { ask, isComplete: true, lookups: 0, terms: 0, networks: 0 };
  const terms = await readTerms(reading, record, [domain]);
  return { domain, record: kept, terms, isComplete: reading.isComplete };
}

/** `path`: the domains from the first record to this one. */
async function readTerms(reading: Reading, record: SpfRecord, path: readonly string[]): Promise<SpfTerm[]> {
  const terms: SpfTerm[] = [];
  const evaluated = evaluatedOf(record).length;
  for (const [i, mechanism] of record.mechanisms.entries()) {
    if (!takeTerm(reading)) return terms;
    terms.push(
      i < evaluated
        ? await readMechanism(reading, mechanism, path)
        : newTerm({ ...mechanism, target: mechanism.domain ?? null }, 'ignored'),
    );
  }
  const { redirect } = record;
  if (redirect === undefined || !takeTerm(reading)) return terms;
  const isIgnored = record.mechanisms.some(({ name }) => name === 'all');
  const target = expandDomain(redirect, path);
  const term = newTerm(
    { name: 'redirect', qualifier: '+', text: `redirect=${redirect}`, target: target ?? redirect },
    isIgnored ? 'ignored' : target === undefined ? 'depends' : 'found',
  );
  if (term.isLookup) reading.lookups += 1;
  if (term.state === 'found' && target !== undefined) await follow(reading, term, target, path);
  return [...terms, term];
}

function takeTerm(reading: Reading): boolean {
  reading.terms += 1;
  if (reading.terms <= SPF_TREE_LIMITS.terms) return true;
  reading.isComplete = false;
  return false;
}

async function readMechanism(reading: Reading, mechanism: Mechanism, path: readonly string[]): Promise<SpfTerm> {
  const { name, network, domain } = mechanism;
  const isPlain = name === 'all' || network !== undefined;
  const expanded = expandDomain(domain, path);
  const target = isPlain ? null : (expanded ?? domain ?? null);
  const depends = name === 'ptr' || expanded === undefined;
  if (mechanism.text.length > SPF_TREE_LIMITS.term) reading.isComplete = false; // it is cut
  const term = newTerm({ ...mechanism, target }, isPlain ? 'plain' : depends ? 'depends' : 'found');
  if (network !== undefined) addNetworks(reading, term, [network]);
  if (name === 'all' && path.length > 1) addNetworks(reading, term, ANY);
  if (!term.isLookup) return term;
  reading.lookups += 1;
  if (term.state === 'found' && target !== null) await lookUp(reading, { term, target, mechanism, path });
  return term;
}

interface Lookup {
  term: SpfTerm;
  target: string;
  mechanism: Mechanism;
  path: readonly string[];
}

async function lookUp(reading: Reading, { term, target, mechanism, path }: Lookup): Promise<void> {
  if (mechanism.name === 'include') return await follow(reading, term, target, path);
  if (isBeyond(reading, term)) return;
  if (mechanism.name === 'mx') return await readMailServers(reading, { term, target, mechanism });
  const answer = await reading.ask.addresses(target);
  note(reading, term, answer);
  if (answer.isPartial) reading.isComplete = false;
  if (answer.kind !== 'found') return;
  addNetworks(reading, term, mechanism.name === 'exists' ? ANY : answer.values.map(networkBy(mechanism)));
}

async function readMailServers(reading: Reading, { term, target, mechanism }: Omit<Lookup, 'path'>): Promise<void> {
  const answer = await reading.ask.mailServers(target);
  note(reading, term, answer);
  if (answer.kind !== 'found') return;
  const hosts = answer.values.map(({ host }) => host).filter((host) => host !== '');
  if (hosts.length > MX_HOSTS) term.state = 'broken';
  for (const host of hosts.slice(0, MX_HOSTS)) {
    const addresses = await reading.ask.addresses(host);
    if (addresses.kind === 'unconfirmed' || addresses.isPartial) reading.isComplete = false;
    if (addresses.kind === 'found') addNetworks(reading, term, addresses.values.map(networkBy(mechanism)));
  }
}

function networkBy({ lengths = { four: 32, six: 128 } }: Mechanism): (address: string) => string {
  return (address) => `${address}/${isIPv6(address) ? lengths.six : lengths.four}`;
}

/** Reads the record of another name below a term. (RFC 7208, 5.2 and 6.1) */
async function follow(reading: Reading, term: SpfTerm, target: string, path: readonly string[]): Promise<void> {
  if (path.includes(target)) {
    term.state = 'loop';
    return;
  }
  if (isBeyond(reading, term)) return;
  const answer = recordsAt(await reading.ask.text(target), spfCandidates);
  note(reading, term, answer);
  if (answer.kind !== 'found') return;
  const text = answer.values.length === 1 ? present(answer.values[0]) : undefined;
  const record = text === undefined ? undefined : readSpf(text);
  if (text !== undefined) term.record = cutText(text, SPF_TREE_LIMITS.record);
  if (!record || 'reason' in record) term.state = 'broken';
  else term.terms = await readTerms(reading, record, [...path, target]);
}

function isBeyond(reading: Reading, term: SpfTerm): boolean {
  if (reading.lookups <= SPF_TREE_LIMITS.lookups) return false;
  term.state = 'unread';
  reading.isComplete = false;
  return true;
}

function note(reading: Reading, term: SpfTerm, answer: Found<unknown>): void {
  if (answer.kind === 'unconfirmed') {
    term.state = 'unanswered';
    reading.isComplete = false;
  }
  if (answer.kind === 'none') {
    term.state = 'void';
    term.isVoid = true;
  }
}

function addNetworks(reading: Reading, term: SpfTerm, networks: readonly string[]): void {
  const free = SPF_TREE_LIMITS.networks - reading.networks;
  if (networks.length > free) reading.isComplete = false;
  term.networks.push(...networks.slice(0, Math.max(0, free)));
  reading.networks += Math.min(networks.length, Math.max(0, free));
}
