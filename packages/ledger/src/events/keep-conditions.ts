import { type Database, transact } from '@dmarc-ledger/schema';
import type { Holding } from '@dmarc-ledger/scoring';
import { type Raised, raiseEvents } from './raise-events.ts';

/** A condition that holds in an organization. */
export interface OrgCondition {
  orgId: string;
  condition: Holding;
}

/**
 * Raises the conditions that a watch over all organizations finds, and resolves those it found before and no longer
 * finds. Watches may run concurrently.
 * @param watch the name of the watch
 */
export async function keepConditions(
  database: Database,
  watch: string,
  find: () => Promise<readonly OrgCondition[]>,
): Promise<Raised> {
  // read open conditions first, so that those another process raises meanwhile, also anew, are left alone
  const open = await database.db
    .selectFrom('event_condition')
    .select(['org_id', 'key', 'event_id as eventId'])
    .where('kept_by', '=', watch)
    .where('holds', '=', true)
    .execute();
  const found = Map.groupBy(await find(), ({ orgId }) => orgId);
  const sum = { raised: 0, resolved: 0 };
  for (const orgId of new Set([...found.keys(), ...open.map(({ org_id }) => org_id)])) {
    const conditions = (found.get(orgId) ?? []).map(({ condition }) => condition);
    const ended = open.flatMap(({ org_id, ...condition }) =>
      org_id === orgId ? [{ state: 'over' as const, ...condition }] : [],
    );
    const { raised, resolved } = await transact(database, (session) =>
      raiseEvents(session, orgId, [...conditions, ...ended], watch),
    );
    sum.raised += raised;
    sum.resolved += resolved;
  }
  return sum;
}
