import { domainFactsOf, type DomainHealthBody, findHealthFacts } from '@dmarc-ledger/facts';
import { beginHealth, refreshEnforcementDays, saveHealth } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { domainHealth } from '@dmarc-ledger/scoring';
import { addDays, dayOf } from '@dmarc-ledger/vocabulary';

/** The longest window that a stricter policy is tried on. (rules, enforcement/window) */
const WINDOW_DAYS = 90;
/** So many days are computed in a transaction, so that a large domain gets on; each at most once in so many minutes. */
const REFRESH = { days: 5, quietMinutes: 60 };

/**
 * Computes the health of a domain, and what became of the mail of each day, and stores both for the API. Running it
 * again is safe.
 */
export async function computeHealth(
  { database, now: clock = () => new Date() }: { database: Database; now?: () => Date },
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  const begun = await beginHealth(database.db, orgId, domainId);
  if (!begun) return; // no longer monitored
  const { name, dueAt } = begun;
  const now = clock();
  const today = dayOf(Math.floor(now.getTime() / 1000));
  const facts = await findHealthFacts(database.db, orgId, name, today);
  if (!facts) return;
  const body: DomainHealthBody = { health: domainHealth(domainFactsOf(facts), now, today), placement: facts.placement };
  await transact(database, (session) => saveHealth(session, { orgId, domainId }, { body, computedAt: now, dueAt }));
  const mail = { orgId, domainId, domain: name, from: addDays(today, 1 - WINDOW_DAYS), to: today };
  const refresh = () => transact(database, (session) => refreshEnforcementDays(session, mail, REFRESH));
  for (let left = WINDOW_DAYS; left > 0 && (await refresh()) > 0; left -= REFRESH.days);
}
