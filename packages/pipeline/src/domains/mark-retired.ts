import { goneSince, type KeptKey, type Selector } from '@dmarc-ledger/dns-records';
import { findHandedOver, pairName } from '@dmarc-ledger/facts';
import { findSigned, type KnownSelector } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';

/**
 * Marks the selectors whose key may be gone: no mail of the last days is signed with them, or another one took over.
 * Only the answers to this check show whether it is: a key that was there at the check before is taken as gone since
 * today. (rules, domain-checks/dkim-keys)
 */
export async function markRetired(
  db: Db,
  mail: { orgId: string; domainId: string; today: Day },
  known: readonly KnownSelector[],
  before: readonly KeptKey[],
): Promise<Selector[]> {
  const signed = await findSigned(db, mail.orgId, mail.domainId, mail.today);
  const kept = new Map(before.map((key) => [pairName(key), key]));
  const marked = known.map(({ domain, selector }) => ({
    domain,
    selector,
    // a key that is gone cannot pass, so that failing mail of own sources counts as well
    isRetired: !signed.has(pairName({ domain, selector })),
  }));
  const goneAt = (key: Selector) => goneSince(kept.get(pairName(key))) ?? mail.today;
  const asked = marked.map((key) => ({ ...key, goneSince: key.isRetired ? undefined : goneAt(key) }));
  const handedOver = await findHandedOver(db, mail, asked);
  return marked.map((key) => ({ ...key, isRetired: key.isRetired || handedOver.has(pairName(key)) }));
}
