import { type Database, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { isOnlyPlanner } from '../due-work/only-planner.ts';

export interface CheckPlan {
  /** The most domains in progress, over all processes. */
  inHand: number;
  /** Of those, the most of one organization. */
  inHandOfOrganization: number;
  /** The most planned by one call. */
  atOnce: number;
  /** A domain that was planned and not checked within this time is planned again. */
  lostAfterSeconds: number;
}

/**
 * Queues the checks that are due, the organizations in turn and the most overdue of each first. Few of one organization
 * are in progress at a time, so that its many domains, or its slow name servers, do not delay the others. Returns how
 * many. Planners may run concurrently.
 */
export async function planChecks(database: Database, plan: CheckPlan): Promise<number> {
  const { inHand, inHandOfOrganization, atOnce, lostAfterSeconds } = plan;
  return await transact(database, async (session) => {
    if (!(await isOnlyPlanner(session, 'plan_checks'))) return 0;
    const { rows } = await sql<{ org_id: string; id: string }>`
      with held as (
        select org_id, count(*) as domains from (
          select org_id from domain where monitored and check_planned and check_due_at > now() limit ${inHand}) d
        group by org_id
      ), turns as (
        select o.id as org_id, d.id, d.check_due_at, coalesce(h.domains, 0) + d.place as turn
        from organization o left join held h on h.org_id = o.id cross join lateral (
          select id, check_due_at, row_number() over (order by check_due_at) as place from (
            select id, check_due_at from domain where org_id = o.id and monitored and check_due_at <= now()
            order by check_due_at limit least(${atOnce}::integer, ${inHandOfOrganization}::integer)) due) d
        where exists (select from domain where monitored and check_due_at <= now())
          and coalesce(h.domains, 0) + d.place <= ${inHandOfOrganization}::integer
        order by turn, d.check_due_at
        limit (select greatest(least(${inHand} - coalesce(sum(domains), 0), ${atOnce}), 0) from held)
      ), picked as (
        select d.org_id, d.id from turns t join domain d on d.org_id = t.org_id and d.id = t.id
        where d.monitored and d.check_due_at <= now() for update of d skip locked
      )
      update domain d set check_planned = true, check_due_at = now() + make_interval(secs => ${lostAfterSeconds})
      from picked p where d.org_id = p.org_id and d.id = p.id returning d.org_id, d.id`.execute(session.db);
    for (const { org_id: orgId, id: domainId } of rows)
      await announce(session, orgId, [{ job: 'checkDomain', payload: { orgId, domainId } }]);
    return rows.length;
  });
}
