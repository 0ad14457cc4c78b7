import type { Ask, Finding } from '@dmarc-ledger/dns-records';
import { findSendingNames } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';

/** The most names below a domain that one check looks up. */
const NAMES = 20;

/**
 * Finds out which names below a domain do not exist, of those that mail was sent from; undefined if there are none to
 * look up. A name without a clear answer counts as one that exists. (rules, enforcement/names-that-do-not-exist)
 */
export async function checkSendingNames(
  db: Db,
  ask: Ask,
  { orgId, domainId, since }: { orgId: string; domainId: string; since: Day },
): Promise<Finding | undefined> {
  const names = await findSendingNames(db, orgId, domainId, { since, limit: NAMES });
  if (names.length === 0) return undefined;
  const isAbsent = await Promise.all(names.map((name) => ask.isNameAbsent(name)));
  const absent = names.filter((_, i) => isAbsent[i]).toSorted();
  return { status: 'ok', details: '', hasRecord: absent.length < names.length, facts: { absent } };
}
