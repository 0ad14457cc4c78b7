import { goneSince, type KeptKey, type Selector } from '@dmarc-ledger/dns-records';
import { findHandedOver, pairName } from '@dmarc-ledger/facts';
import type { KnownSelector } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** A selector is in use for so many days after the last mail that passed by it. (rules, domain-checks/dkim-keys) */
const IN_USE_DAYS = 7;

/**
 * Marks the selectors whose key may be gone. Only the answers to this check show whether it is: a key that was there
 * at the check before is taken as gone since today.
 */
export async function markRetired(
  db: Db,
  mail: { orgId: string; domainId: string; today: Day },
  known: readonly KnownSelector[],
  before: readonly KeptKey[],
): Promise<Selector[]> {
  const kept = new Map(before.map((key) => [pairName(key), key]));
  const marked = known.map(({ domain, selector, lastDay }) => ({
    domain,
    selector,
    isRetired: lastDay <= addDays(mail.today, -IN_USE_DAYS),
  }));
  const goneAt = (key: Selector) => goneSince(kept.get(pairName(key))) ?? mail.today;
  const asked = marked.map((key) => ({ ...key, goneSince: key.isRetired ? undefined : goneAt(key) }));
  const handedOver = await findHandedOver(db, mail, asked);
  return marked.map((key) => ({ ...key, isRetired: key.isRetired || handedOver.has(pairName(key)) }));
}
