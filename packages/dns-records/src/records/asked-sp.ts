import { present } from '@dmarc-ledger/vocabulary';
import type { Found } from '../ask.ts';
import { isBroken, readDmarcRecord } from './dmarc-record.ts';
import { candidatesOf } from './tag-list.ts';
import { walkTargets, type DmarcWalk } from './tree-walk.ts';

/**
 * Whether receivers ask for the `sp` of a domain's own record: only of an organizational domain, and of a public
 * suffix. A domain that the suffix list calls one is taken for one. Undefined: a name above was not answered. (RFC
 * 9989, 4.10.1; rules, domain-checks/policy-for-subdomains)
 */
export async function isSpAsked(
  { applied }: Pick<DmarcWalk, 'applied'>,
  { domain, organizationalDomain }: { domain: string; organizationalDomain: string },
  askText: (name: string) => Promise<Found<string>>,
): Promise<boolean | undefined> {
  if (applied?.at !== domain || applied.record.sp === undefined) return true;
  if (domain === organizationalDomain || applied.record.psd !== 'u') return true;
  for (const above of walkTargets(domain).slice(1)) {
    const answer = await askText(`_dmarc.${above}`);
    if (answer.kind === 'unconfirmed') return undefined;
    const candidates = answer.kind === 'found' ? candidatesOf(answer.values, 'DMARC1') : [];
    const record = candidates.length === 1 ? readDmarcRecord(present(candidates[0])) : undefined;
    if (!record || isBroken(record)) continue;
    return record.psd === 'y' && domain.split('.').length === above.split('.').length + 1;
  }
  return true;
}
