import type { OpenItem } from '@dmarc-ledger/digest';
import type { Db } from '@dmarc-ledger/schema';
import { itemsByDomain, scoreDomains } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { findItemDomains } from '../domains/item-domains.ts';
import { findOpenEvents } from '../domains/open-events.ts';
import { findScoreFacts } from '../scores/score-facts.ts';

/**
 * Returns all open items of the domains asked for, those of a domain most urgent first. With all domains, and for a
 * reader who sees events, the organization's own are among them. (rules, digests/content)
 */
export async function findDigestItems(
  db: Db,
  orgId: string,
  { domains, seesEvents, today }: { domains: readonly string[]; seesEvents: boolean; today: Day },
): Promise<OpenItem[]> {
  const [facts, watched, orgEvents] = await Promise.all([
    findScoreFacts(db, orgId, today),
    findItemDomains(db, orgId),
    seesEvents ? findOpenEvents(db, orgId, '') : [],
  ]);
  const asked = new Set(domains);
  return [...itemsByDomain(scoreDomains(facts), { watched, orgEvents })]
    .filter(([domain]) => asked.size === 0 || asked.has(domain))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([domain, items]) =>
      items.map(({ type, severity, title, suggested_action: action }) => ({ domain, type, severity, title, action })),
    );
}
