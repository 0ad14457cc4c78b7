import type { DomainHealthBody } from '@dmarc-ledger/facts';
import { type Database, type Db, type Session, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce, type Work } from '../due-work/announce-work.ts';
import { isOnlyPlanner } from '../due-work/only-planner.ts';

/**
 * Stores a health unless a newer one is there, and when to compute it again without any change: some of it depends on
 * time alone. One from the future was computed by a machine whose clock was ahead: it is replaced. Clocks may differ by
 * a minute: one that is not stored for its date may know more, and is computed again once the clocks have passed it. A
 * later plan than the one that this health was begun for stays: what it was made for may have come after the facts of
 * this one were read.
 */
export async function saveHealth(
  { db }: Session,
  { orgId, domainId }: { orgId: string; domainId: string },
  { body, computedAt, dueAt }: { body: DomainHealthBody; computedAt: Date } & Pick<BegunHealth, 'dueAt'>,
): Promise<void> {
  const { rows: stored } = await sql`
    insert into domain_health as h (org_id, domain_id, body, computed_at)
    values (${orgId}, ${domainId}, ${JSON.stringify(body)}::jsonb, ${computedAt})
    on conflict (org_id, domain_id) do update set body = excluded.body, computed_at = excluded.computed_at
      where h.computed_at <= excluded.computed_at or h.computed_at > now() + interval '1 minute'
    returning 1`.execute(db);
  const isStored = stored.length > 0;
  const next = isStored ? sql`interval '1 day'` : sql`interval '1 minute'`;
  const isPlannedSince = sql<boolean>`health_due_at > ${dueAt}::timestamptz`; // each plan is due later than the last
  await sql`
    update domain set health_planned = health_planned and ${isPlannedSince}, health_due_at =
      case when health_due_at <= now() + interval '5 minutes' or ${isStored} and ${isPlannedSince} then health_due_at
        else now() + ${next} end
    where org_id = ${orgId} and id = ${domainId}`.execute(db);
}

export interface HealthPlan {
  /** The most healths in progress, over all processes. */
  inHand: number;
  /** The most planned by one call. */
  atOnce: number;
}

/**
 * Queues the healths that are due, the most overdue first. Returns how many. Planners may run concurrently. A health
 * that was planned and not computed within ten minutes is planned again.
 */
export async function planHealth(database: Database, { inHand, atOnce }: HealthPlan): Promise<number> {
  return await transact(database, async (session) => {
    if (!(await isOnlyPlanner(session, 'plan_health'))) return 0;
    const { rows } = await sql<{ org_id: string; id: string }>`
      with held as (
        select count(*) as healths from (
          select from domain where monitored and health_planned and health_due_at > now() limit ${inHand}) d
      ), picked as (
        select org_id, id from domain where monitored and health_due_at <= now() order by health_due_at
        limit (select greatest(least(${inHand} - healths, ${atOnce}), 0) from held) for update skip locked
      )
      update domain d set health_planned = true, health_due_at = now() + interval '10 minutes' from picked p
      where d.org_id = p.org_id and d.id = p.id returning d.org_id, d.id`.execute(session.db);
    for (const [orgId, domains] of Map.groupBy(rows, ({ org_id }) => org_id)) {
      const work = domains.map(({ id: domainId }): Work => ({ job: 'computeHealth', payload: { orgId, domainId } }));
      await announce(session, orgId, work);
    }
    return rows.length;
  });
}

/** A monitored domain whose health is about to be computed. */
export interface BegunHealth {
  name: string;
  /** When its health was due, before its facts were read; text, as a `Date` has no microseconds. */
  dueAt: string;
}

/** To be called before the facts of the health are read. Returns undefined for a domain that is not monitored. */
export async function beginHealth(db: Db, orgId: string, domainId: string): Promise<BegunHealth | undefined> {
  return await db
    .selectFrom('domain')
    .select(['name', sql<string>`health_due_at::text`.as('dueAt')])
    .where('org_id', '=', orgId)
    .where('id', '=', domainId)
    .where('monitored', '=', true)
    .executeTakeFirst();
}
