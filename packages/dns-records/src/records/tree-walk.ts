import { present, type DmarcPolicy } from '@dmarc-ledger/vocabulary';
import { isBroken, readDmarcRecord, type BrokenRecord, type DmarcRecord } from './dmarc-record.ts';
import { candidatesOf } from './tag-list.ts';
import type { Found } from '../ask.ts';
import { doServersDiffer } from './servers-differ.ts';

const LONG = 8;

/** The names that a tree walk reads, in order: at most eight. (RFC 9989, 4.10; rules, domain-checks/tree-walk) */
export function walkTargets(domain: string): string[] {
  const labels = domain.split('.');
  const targets = [domain];
  let rest = labels.length < LONG ? labels.slice(1) : labels.slice(-(LONG - 1));
  for (; rest.length > 0; rest = rest.slice(1)) targets.push(rest.join('.'));
  return targets;
}

/** The records at the domain's own name, and the one that applies. */
export interface DmarcWalk {
  /** Candidates at the own name; if there are several, all are ignored. */
  own: string[];
  /** Each of several candidates is of another name server. */
  isSplit: boolean;
  /** The other texts there. */
  others: string[];
  /** The record that applies, and its name; invalid records do not apply. */
  applied: { record: DmarcRecord; at: string } | undefined;
  broken: BrokenRecord | undefined;
  organizationalDomain: string;
  /** Before the result was settled, a name was not answered, or the servers of one above had different records. */
  isUnconfirmed: boolean;
}

interface Collected {
  at: string;
  record: DmarcRecord;
}

/**
 * Walks up from a domain and finds the policy that applies: its own record, else that of the organizational domain,
 * else that of the public suffix. A record at the own name needs no further query. (RFC 9989, 4.10)
 */
export async function walkDmarc(domain: string, askText: (name: string) => Promise<Found<string>>): Promise<DmarcWalk> {
  const collected: Collected[] = [];
  let own: string[] = [];
  let isSplit = false;
  let others: string[] = [];
  let broken: BrokenRecord | undefined;
  for (const target of walkTargets(domain)) {
    const answer = await askText(`_dmarc.${target}`);
    if (answer.kind === 'unconfirmed') return unconfirmed(domain, { own, isSplit, others, broken }, collected);
    const candidates = answer.kind === 'found' ? candidatesOf(answer.values, 'DMARC1') : [];
    if (target === domain) {
      own = candidates;
      isSplit = doServersDiffer(own, answer.servers);
      others = answer.kind === 'found' ? answer.values.filter((text) => !own.includes(text)) : [];
    } else if (doServersDiffer(candidates, answer.servers))
      return unconfirmed(domain, { own, isSplit, others, broken }, collected);
    if (candidates.length !== 1) continue;
    const record = readDmarcRecord(present(candidates[0]));
    if (isBroken(record)) {
      if (target !== domain) continue;
      broken = record;
      break; // an own record hides those above, even if it is invalid (RFC 9989, 4.10.1)
    }
    collected.push({ at: target, record });
    if (record.psd !== 'u') break;
    if (target === domain) break; // the own policy is settled, and this walk does not need the organizational domain
  }
  const organizationalDomain = organizationalDomainOf(domain, collected);
  return {
    own,
    isSplit,
    others,
    broken,
    organizationalDomain,
    applied: appliedOf(domain, organizationalDomain, collected),
    isUnconfirmed: false,
  };
}

/** A definite answer at the own name stands, whatever happens above it. */
function unconfirmed(
  domain: string,
  seen: Pick<DmarcWalk, 'own' | 'isSplit' | 'others' | 'broken'>,
  collected: Collected[],
): DmarcWalk {
  const mine = collected.find(({ at }) => at === domain);
  return { ...seen, organizationalDomain: domain, applied: mine, isUnconfirmed: seen.own.length === 0 };
}

/** Determines the organizational domain from the records on the way, the longest name first. (RFC 9989, 4.10.2) */
export function organizationalDomainOf(
  domain: string,
  collected: readonly { at: string; record: Pick<DmarcRecord, 'psd'> }[],
): string {
  for (const { at, record } of collected) {
    if (record.psd === 'n') return at;
    if (record.psd === 'y' && at !== domain) {
      const depth = at.split('.').length + 1;
      return domain.split('.').slice(-depth).join('.');
    }
  }
  return collected.at(-1)?.at ?? domain;
}

function appliedOf(domain: string, organizationalDomain: string, collected: readonly Collected[]) {
  const at = (name: string) => collected.find((found) => found.at === name);
  return at(domain) ?? at(organizationalDomain) ?? collected.find(({ record }) => record.psd === 'y');
}

/** The policy for a domain itself: its own, or that of the record above for subdomains. (RFC 9989, 4.10.1) */
export function policyFor(domain: string, { record, at }: { record: DmarcRecord; at: string }): DmarcPolicy {
  return at === domain ? record.p : (record.sp ?? record.p);
}
