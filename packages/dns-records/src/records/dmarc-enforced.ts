import { type AskText, isSpAsked, type Names } from './asked-sp.ts';
import { policyFor, walkDmarc, type DmarcWalk } from './tree-walk.ts';

/**
 * Whether all failing mail of a domain, of its organizational domain and of their subdomains is quarantined or
 * rejected. Undefined: a name that decides it was not answered. (rules, domain-checks/bimi)
 */
export async function isDmarcEnforced(askText: AskText, names: Names): Promise<boolean | undefined> {
  const walk = await walkDmarc(names.domain, askText);
  if (walk.isUnconfirmed || walk.isSplit) return undefined;
  const hasSp = await isSpAsked(walk, names, askText);
  const [withSp, withoutSp] = [isEnforced(walk, names.domain, true), isEnforced(walk, names.domain, false)];
  const own = hasSp === undefined && withSp !== withoutSp ? undefined : (hasSp ?? true) ? withSp : withoutSp;
  return own === false ? false : both(own, await isEnforcedAbove(walk, names, askText));
}

/** True where no other record applies to the organizational domain; that of a public suffix belongs to others. */
async function isEnforcedAbove(
  { applied }: DmarcWalk,
  { domain, organizationalDomain }: Names,
  askText: AskText,
): Promise<boolean | undefined> {
  if (domain === organizationalDomain || applied?.at !== domain || applied.record.psd !== 'u') return true;
  const above = await walkDmarc(organizationalDomain, askText);
  if (above.isUnconfirmed || above.isSplit) return undefined;
  const isSuffix = above.applied?.at === organizationalDomain && above.applied.record.psd === 'y';
  return !above.applied || isSuffix || isEnforced(above, organizationalDomain, true);
}

function isEnforced({ applied }: DmarcWalk, domain: string, hasSp: boolean): boolean {
  if (!applied) return false;
  const { record } = applied;
  const policies = [policyFor(domain, applied), record.p, hasSp ? record.sp : undefined];
  return !policies.includes('none') && record.pct === 100 && !record.t;
}

function both(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  return one === false || other === false ? false : one === undefined || other === undefined ? undefined : true;
}
