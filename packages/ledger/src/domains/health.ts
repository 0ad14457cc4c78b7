import type { DomainHealthBody } from '@dmarc-ledger/facts';
import { type Database, type Db, type Session, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { isOnlyPlanner } from '../due-work/only-planner.ts';

/** Keeps a health, and says when it is to be computed again though nothing has changed: time alone changes some of it. */
export async function saveHealth(
  { db }: Session,
  orgId: string,
  domainId: string,
  body: DomainHealthBody,
  computedAt: Date,
): Promise<void> {
  await sql`
    insert into domain_health as h (org_id, domain_id, body, computed_at)
    values (${orgId}, ${domainId}, ${JSON.stringify(body)}::jsonb, ${computedAt})
    on conflict (org_id, domain_id) do update set body = excluded.body, computed_at = excluded.computed_at
      where h.computed_at <= excluded.computed_at`.execute(db);
  await sql`
    update domain set health_planned = false, health_due_at =
      case when health_due_at > now() + interval '5 minutes' then now() + interval '1 day' else health_due_at end
    where org_id = ${orgId} and id = ${domainId}`.execute(db);
}

export interface HealthPlan {
  /** Healths in hand at most, over all processes. */
  inHand: number;
  /** Planned by one call at most. */
  atOnce: number;
}

/**
 * Hands the healths that are due to the queue, those overdue longest first. Returns how many. Any number may plan. One
 * that was planned and not computed in ten minutes is planned again.
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
      const work = domains.map(({ id: domainId }) => ({ job: 'computeHealth', payload: { orgId, domainId } }));
      await announce(session, orgId, work);
    }
    return rows.length;
  });
}

/** The names of an organization's domains by their ids. */
export async function findDomainName(db: Db, orgId: string, domainId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('domain')
    .select('name')
    .where('org_id', '=', orgId)
    .where('id', '=', domainId)
    .where('monitored', '=', true)
    .executeTakeFirst();
  return row?.name;
}
