import { present } from '@dmarc-ledger/vocabulary';
import type { Found } from '../ask.ts';
import { isBroken, readDmarcRecord, type DmarcRecord } from './dmarc-record.ts';
import { recordsAt } from './servers-differ.ts';
import { candidatesOf } from './tag-list.ts';
import { walkTargets, type DmarcWalk } from './tree-walk.ts';

export type AskText = (name: string) => Promise<Found<string>>;

export interface Names {
  domain: string;
  organizationalDomain: string;
}

/**
 * Whether receivers ask for the `sp` of a domain's own record: only of an organizational domain, and of a public
 * suffix. A domain that the suffix list calls one is taken for one. Undefined: a name above was not answered. (RFC
 * 9989, 4.10.1; rules, domain-checks/policy-for-subdomains)
 */
export async function isSpAsked(
  { applied }: Pick<DmarcWalk, 'applied'>,
  names: Names,
  askText: AskText,
): Promise<boolean | undefined> {
  if (applied?.at !== names.domain || applied.record.sp === undefined) return true;
  const isBelow = await isBelowAnother(applied.record, names, askText);
  return isBelow === undefined ? undefined : !isBelow;
}

/**
 * What a check keeps of a domain with a record of its own below the suffix list's organizational domain; undefined for
 * others, and where a name above was not answered.
 */
export async function findBelow(
  { record, at }: NonNullable<DmarcWalk['applied']>,
  names: Names,
  askText: AskText,
): Promise<{ isBelow: boolean } | undefined> {
  if (at !== names.domain || at === names.organizationalDomain) return undefined;
  const isBelow = await isBelowAnother(record, names, askText);
  return isBelow === undefined ? undefined : { isBelow };
}

/**
 * Whether names below a domain with a record of its own follow a record above instead. Undefined: a name above was not
 * answered.
 */
async function isBelowAnother(
  { psd }: Pick<DmarcRecord, 'psd'>,
  { domain, organizationalDomain }: Names,
  askText: AskText,
): Promise<boolean | undefined> {
  if (domain === organizationalDomain || psd !== 'u') return false;
  for (const above of walkTargets(domain).slice(1)) {
    const answer = recordsAt(await askText(`_dmarc.${above}`), (texts) => candidatesOf(texts, 'DMARC1'));
    if (answer.kind === 'unconfirmed') return undefined;
    const candidates = answer.kind === 'found' ? answer.values : [];
    const record = candidates.length === 1 ? readDmarcRecord(present(candidates[0])) : undefined;
    if (!record || isBroken(record)) continue;
    return record.psd !== 'y' || domain.split('.').length !== above.split('.').length + 1;
  }
  return false;
}
