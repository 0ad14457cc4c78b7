import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * Records that an event was acknowledged, and by whom; later calls change nothing. The health of its domain is computed
 * again, as the event is no longer an action item. Returns false if the organization has no such event. (rules,
 * action-items/freshness)
 */
export async function acknowledgeEvent(db: Db, orgId: string, id: string, by: string): Promise<boolean> {
  const { rows } = await sql`
    with acknowledged as (
      update event set acknowledged_at = coalesce(acknowledged_at, now()),
        acknowledged_by = coalesce(acknowledged_by, ${by})
      where org_id = ${orgId} and id = ${id} returning org_id, domain
    ), due as (
      update domain d set health_due_at = now() + interval '30 seconds' from acknowledged a
      where d.org_id = a.org_id and d.name = a.domain and d.health_due_at > now() + interval '30 seconds'
    )
    select from acknowledged`.execute(db);
  return rows.length > 0;
}
