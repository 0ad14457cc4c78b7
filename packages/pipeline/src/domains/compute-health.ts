import { domainFactsOf, type DomainHealthBody, findHealthFacts } from '@dmarc-ledger/facts';
import { findDomainName, saveHealth } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { domainHealth } from '@dmarc-ledger/scoring';
import { dayOf } from '@dmarc-ledger/vocabulary';

/** Computes the health of a domain, and stores it for the API. Running it again is safe. */
export async function computeHealth(
  { database, now: clock = () => new Date() }: { database: Database; now?: () => Date },
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  const name = await findDomainName(database.db, orgId, domainId);
  if (name === undefined) return; // no longer monitored
  const now = clock();
  const today = dayOf(Math.floor(now.getTime() / 1000));
  const facts = await findHealthFacts(database.db, orgId, name, today);
  if (!facts) return;
  const body: DomainHealthBody = { health: domainHealth(domainFactsOf(facts), now, today), placement: facts.placement };
  await transact(database, (session) => saveHealth(session, { orgId, domainId }, { body, computedAt: now }));
}
