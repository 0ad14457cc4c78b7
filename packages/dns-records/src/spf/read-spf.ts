import { isIPv4, isIPv6 } from 'node:net';
import { cutText, present, isOneOf } from '@dmarc-ledger/vocabulary';

const QUALIFIERS = ['+', '-', '~', '?'] as const;
export type Qualifier = (typeof QUALIFIERS)[number];
export const mechanismNames = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'] as const;

/** One mechanism. */
export interface Mechanism {
  name: (typeof mechanismNames)[number];
  qualifier: Qualifier;
  /** As published; see `expandDomain`. */
  domain: string | undefined;
  /** The prefix length of ip4 and ip6. */
  prefix: number | undefined;
  /** As published. */
  text: string;
  /** The network of ip4 and ip6, such as `192.0.2.0/24`. */
  network?: string;
  /** The prefix lengths that `a` and `mx` give to the addresses found. */
  lengths?: { four: number; six: number };
}

export interface SpfRecord {
  mechanisms: Mechanism[];
  /** The domain that `redirect` names, as published. */
  redirect: string | undefined;
  /** Modifiers with the name of a mechanism, such as `include=a.test`: they are valid, and do nothing. */
  unknown: string[];
}

const TERM =
  /^([+\-~?])?(all|include|a|mx|ptr|ip4|ip6|exists)(?::([^/]*))?((?:\/(?:0|[1-9]\d{0,2}))?(?:\/\/(?:0|[1-9]\d{0,2}))?)$/i;
const IP_TERM = /^([+\-~?])?(ip4|ip6):([0-9a-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i;
const IP_NAMES = ['ip4', 'ip6'] as const;
const MODIFIER = /^([a-z][\w.-]*)=(.*)$/i;
/** The letters c, r and t stand in explanations alone, and a number of parts is not zero. (RFC 7208, 7.2 and 7.3) */
const GOOD_MACROS = /^(?:[^%]|%[%_-]|%\{[slodiphv](?:0*[1-9]\d*)?r?[.\-+,/_=]*\})*$/i;
/** So many are noted. */
const UNKNOWN = 5;
const MACRO_END = /%(?:\{[^}]*\}|[%_-])$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const VISIBLE = /^[\x21-\x7e]+$/;
const NEEDS_DOMAIN = new Set(['include', 'exists']);

/** Reads a record that begins with `v=spf1`, or returns why it is invalid. (RFC 7208, 4.6 and 12) */
export function readSpf(text: string): SpfRecord | { reason: string } {
  const record: SpfRecord = { mechanisms: [], redirect: undefined, unknown: [] };
  const seen = new Set<string>();
  for (const term of text.split(' ').slice(1)) {
    if (term === '') continue;
    if (!GOOD_MACROS.test(term)) return { reason: `${shown(term)} has an invalid macro` };
    const mechanism = readIpTerm(term) ?? readTerm(term);
    if (mechanism && 'reason' in mechanism) return mechanism;
    if (mechanism) {
      record.mechanisms.push(mechanism);
      continue;
    }
    const [, name, value] = MODIFIER.exec(term) ?? [];
    if (name === undefined) return { reason: `${shown(term)} is not a mechanism` };
    const modifier = name.toLowerCase();
    if (isOneOf(mechanismNames, modifier) && record.unknown.length < UNKNOWN) record.unknown.push(shown(term));
    if (modifier !== 'redirect' && modifier !== 'exp') continue; // unknown modifiers are ignored
    if (seen.has(modifier)) return { reason: `${modifier} appears twice` };
    seen.add(modifier);
    if (value === '') return { reason: `${modifier} names no domain` };
    if (!isDomainSpec(present(value))) return { reason: noDomain(term, present(value)) };
    if (modifier === 'redirect') record.redirect = present(value).toLowerCase();
  }
  return record;
}

/** The mechanisms that receivers come to: none after `all`. (RFC 7208, 5.1) */
export function evaluatedOf({ mechanisms }: SpfRecord): readonly Mechanism[] {
  const all = mechanisms.findIndex(({ name }) => name === 'all');
  return all < 0 ? mechanisms : mechanisms.slice(0, all + 1);
}

function readTerm(term: string): Mechanism | { reason: string } | undefined {
  const [, qualifier = '+', spelled, domain, prefixes = ''] = TERM.exec(term) ?? [];
  if (spelled === undefined) return undefined;
  const name = spelled.toLowerCase();
  if (!isOneOf(mechanismNames, name) || !isOneOf(QUALIFIERS, qualifier)) return undefined;
  if (name === 'ip4' || name === 'ip6') return { reason: `${shown(term)} names no network` };
  if (domain === '' || (NEEDS_DOMAIN.has(name) && domain === undefined))
    return { reason: `${shown(term)} names no domain` };
  if (domain !== undefined && !isDomainSpec(domain)) return { reason: noDomain(term, domain) };
  if (name === 'all' && (domain !== undefined || prefixes !== ''))
    return { reason: `${shown(term)} takes no argument` };
  if (prefixes !== '' && name !== 'a' && name !== 'mx') return { reason: `${shown(term)} takes no prefix length` };
  const [, four = '32', six = '128'] = /^(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(prefixes) ?? [];
  if (Number(four) > 32 || Number(six) > 128) return { reason: `${shown(term)} has an invalid prefix length` };
  const lengths = { four: Number(four), six: Number(six) };
  return { name, qualifier, domain: domain?.toLowerCase(), prefix: undefined, text: term, lengths };
}

/** It ends in a label that is not all digits behind a dot, or in a macro. (RFC 7208, 7.1 and 12: `domain-spec`) */
function isDomainSpec(text: string): boolean {
  if (!VISIBLE.test(text)) return false;
  if (MACRO_END.test(text)) return true;
  const labels = text.replace(/\.$/, '').split('.');
  const last = present(labels.at(-1));
  return labels.length > 1 && LABEL.test(last) && !/^\d+$/.test(last);
}

function noDomain(term: string, domain: string): string {
  const network = isIPv4(domain) ? `ip4:${domain}` : isIPv6(domain) ? `ip6:${domain}` : undefined;
  return `${shown(term)} names no domain${network ? `: an address is written as ${network}` : ''}`;
}

function readIpTerm(term: string): Mechanism | { reason: string } | undefined {
  const [, qualifier = '+', spelled, address = '', length] = IP_TERM.exec(term) ?? [];
  const name = spelled?.toLowerCase();
  if (!isOneOf(IP_NAMES, name) || !isOneOf(QUALIFIERS, qualifier)) return undefined;
  const isAddress = name === 'ip4' ? isIPv4(address) : isIPv6(address);
  const most = name === 'ip4' ? 32 : 128;
  const prefix = length === undefined ? most : Number(length);
  if (!isAddress || prefix > most) return { reason: `${shown(term)} names no network` };
  const network = `${address}/${prefix}`;
  return { name, qualifier, domain: undefined, prefix, text: term, network };
}

function shown(term: string): string {
  return cutText(term, 60);
}
