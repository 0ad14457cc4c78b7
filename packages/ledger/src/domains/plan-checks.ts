import { type Database, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { isOnlyPlanner } from '../due-work/only-planner.ts';

export interface CheckPlan {
  /** The most domains in progress, over all processes. */
  inHand: number;
  /** Of those, the most of one organization. */
  inHandOfOrganization: number;
  /** Beside them, the most of those that only reports have named, and that were never checked. */
  discoveredInHand: number;
  /** Beside them, the most of those whose last check got no answer. */
  silentInHand: number;
  /** The most planned by one call. */
  atOnce: number;
  /** A domain that was planned and not checked within this time is planned again. */
  lostAfterSeconds: number;
}

/** Domains of each kind wait for each other alone. */
const kind = sql`case when check_failures > 0 then 'silent'
  when checked_at is null and source = 'auto' then 'discovered' else 'usual' end`;

/**
 * Queues the checks that are due, the organizations in turn and the most overdue of each first. Few of one organization
 * are in progress at a time, so that its many domains, or its slow name servers, do not delay the others. Checks of
 * domains whose name servers may never answer take long: those whose last check got no answer, and those that a
 * stranger may have made up, wait for each other alone. Returns how many. Planners may run concurrently.
 */
export async function planChecks(database: Database, plan: CheckPlan): Promise<number> {
  const { inHand, inHandOfOrganization, discoveredInHand, silentInHand, atOnce, lostAfterSeconds } = plan;
  return await transact(database, async (session) => {
    if (!(await isOnlyPlanner(session, 'plan_checks'))) return 0;
    const { rows } = await sql<{ org_id: string; id: string }>`
      with kinds (kind, most, most_of_organization) as (values
        ('usual', ${inHand}::integer, ${inHandOfOrganization}::integer),
        ('discovered', ${discoveredInHand}::integer, ${discoveredInHand}::integer),
        ('silent', ${silentInHand}::integer, ${silentInHand}::integer)
      ), held as (
        select org_id, kind, count(*) as domains from (
          select org_id, ${kind} as kind from domain where monitored and check_planned and check_due_at > now()
          limit ${inHand + discoveredInHand + silentInHand}) d
        group by 1, 2
      ), due as materialized (
        select o.id as org_id from organization o
        where exists (select from domain where monitored and check_due_at <= now())
          and exists (select from domain d where d.org_id = o.id and d.monitored and d.check_due_at <= now())
      ), turns as (
        select o.org_id, d.id, d.check_due_at, k.kind, coalesce(h.domains, 0) + d.place as turn
        from due o cross join kinds k
        left join held h on h.org_id = o.org_id and h.kind = k.kind
        cross join lateral (
          select id, check_due_at, row_number() over (order by check_due_at) as place from (
            select id, check_due_at from domain
            where org_id = o.org_id and monitored and check_due_at <= now() and ${kind} = k.kind
            order by check_due_at limit least(${atOnce}::integer, k.most_of_organization)) first) d
        where coalesce(h.domains, 0) + d.place <= k.most_of_organization
      ), places as (
        select *, row_number() over (partition by kind order by turn, check_due_at) as place from turns
      ), next as (
        select p.org_id, p.id from places p join kinds k using (kind)
        where p.place + coalesce((select sum(domains) from held h where h.kind = p.kind), 0) <= k.most
        order by p.turn, p.check_due_at limit ${atOnce}
      ), picked as (
        select d.org_id, d.id from next n join domain d on d.org_id = n.org_id and d.id = n.id
        where d.monitored and d.check_due_at <= now() for update of d skip locked
      )
      update domain d set check_planned = true, check_due_at = now() + make_interval(secs => ${lostAfterSeconds})
      from picked p where d.org_id = p.org_id and d.id = p.id returning d.org_id, d.id`.execute(session.db);
    for (const { org_id: orgId, id: domainId } of rows)
      await announce(session, orgId, [{ job: 'checkDomain', payload: { orgId, domainId } }]);
    return rows.length;
  });
}
