import {
  dropWatch,
  endInTime,
  findFirstReporter,
  findOpenConditions,
  finishWatch,
  holdWatch,
  raiseEvents as raise,
  type WatchedDomain,
} from '@dmarc-ledger/ledger';
import { type Database, type Session, transact } from '@dmarc-ledger/schema';
import { discovered, SILENCE_MS } from '@dmarc-ledger/scoring';
import { failPoint } from '@dmarc-ledger/vocabulary';
import { lookAtDomain } from './look-at-domain.ts';

/**
 * Applies the event rules to a domain, and raises and resolves the events that follow, with what is remembered of it,
 * in one transaction. Concurrent runs for a domain see each other's events one after the other; running it again
 * changes nothing. (rules, events/conditions-and-events)
 */
export async function raiseEvents(
  { database }: { database: Database },
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  await transact(database, async (session) => {
    const domain = await holdWatch(session, orgId, domainId);
    if (!domain) return;
    if (!domain.isMonitored) return await leave(session, orgId, domain);
    await endInTime(session, orgId, domain.name);
    const { judgements, seen } = await lookAtDomain(session, orgId, domain);
    await raise(session, orgId, judgements);
    const silentAt = domain.reportedAt && new Date(domain.reportedAt.getTime() + SILENCE_MS);
    const next = { seen, silentAt: silentAt && silentAt > domain.now ? silentAt : undefined };
    await finishWatch(session, orgId, domain, next);
    await failPoint('F13');
  });
}

/**
 * Ends every open condition of a domain that is not monitored. A discovered domain beyond the limit of automatic
 * monitoring still raises the event of its discovery.
 */
async function leave(session: Session, orgId: string, domain: WatchedDomain): Promise<void> {
  const isNews =
    domain.isDiscovered &&
    !domain.isDiscoveryReported &&
    (await findFirstReporter(session.db, orgId, domain.id)) !== undefined;
  const open = await findOpenConditions(session.db, orgId, domain.name);
  const ended = [...open.keys()].map((key) => ({ state: 'over' as const, key }));
  await raise(session, orgId, [...ended, ...(isNews ? [discovered(domain.name)] : [])]);
  await dropWatch(session, orgId, domain.id);
}
