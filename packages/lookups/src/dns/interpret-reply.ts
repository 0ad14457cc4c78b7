import type { DnsFact, DnsFailureCode } from './dns-fact.ts';
import { MAX_ALIASES } from './limits.ts';
import type { Reply } from './read-reply.ts';
import type { DnsRecord, RecordData, RecordType } from './record.ts';

const codes: { readonly [rcode: string]: DnsFailureCode } = {
  FORMERR: 'formerr',
  BADVERS: 'formerr',
  REFUSED: 'refused',
};

/**
 * Interprets a reply about a name and type: the records, their absence, a referral, or a failure. An absence needs the
 * SOA record of the zone that contains the name that aliases led to (RFC 2308, 2; RFC 6604, 3): the SOA record of
 * another zone says nothing about it.
 */
export function interpretReply<Type extends RecordType>(
  reply: Reply,
  name: string,
  type: Type,
  server: string,
): DnsFact<Type> {
  const { rcode, authoritative, authenticated, authority, dropped } = reply;
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')
    return { outcome: codes[rcode] ?? 'servfail', detail: rcode, server };
  const chain = followAliases(reply.answers, name, type);
  if (!chain) return { outcome: 'alias_limit', detail: `more than ${MAX_ALIASES} aliases, or a loop`, server };
  const { aliases, target } = chain;
  const origin = { server, authoritative, authenticated, authority };
  const found = reply.answers.filter(
    (record): record is DnsRecord<Type> => record.name === target && record.type === type,
  );
  if (found.length > 0) {
    const ttl = Math.min(chain.ttl, ...found.map((record) => record.ttl));
    return { outcome: 'answer', data: found.map((record) => record.data), ttl, aliases, dropped, ...origin };
  }
  const zones = authority.filter((record): record is DnsRecord<'SOA'> => record.type === 'SOA');
  const soa = zones.find((zone) => isWithin(target, zone.name));
  if (!soa && aliases.length > 0) return { outcome: 'alias', target, aliases, ttl: chain.ttl, ...origin };
  const isReferral = zones.length === 0 && !authoritative && authority.some((record) => record.type === 'NS');
  if (rcode === 'NOERROR' && isReferral) return { outcome: 'referral', ...origin };
  if (!soa && zones.length > 0)
    return { outcome: 'malformed', detail: 'the answer denies a name outside its zone', server };
  const ttl = soa && Math.min(soa.ttl, soa.data.minimum);
  return {
    outcome: rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata',
    zone: soa?.name,
    ttl,
    aliases,
    dropped,
    ...origin,
  };
}

/** A zone contains its own name and the names below it. */
function isWithin(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** Undefined if the aliases form a loop, or a chain that is too long. */
function followAliases(
  answers: readonly DnsRecord[],
  name: string,
  type: RecordType,
): { target: string; aliases: string[]; ttl: number } | undefined {
  const aliases: string[] = [];
  let target = name;
  let ttl = Infinity;
  for (;;) {
    const here = target;
    const alias =
      type === 'CNAME' ? undefined : answers.find((record) => record.name === here && record.type === 'CNAME');
    if (!alias) return { target, aliases, ttl };
    target = alias.data as RecordData['CNAME']; // the type is CNAME
    ttl = Math.min(ttl, alias.ttl);
    if (aliases.length >= MAX_ALIASES || target === name || aliases.includes(target)) return undefined;
    aliases.push(target);
  }
}
