import { type Database, type Session, transact } from '@dmarc-ledger/schema';
import { alertTypes } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { isOnlyPlanner } from '../due-work/only-planner.ts';
import { severityRank } from '../events/severity-rank.ts';
import { isNotSuspended } from './not-suspended.ts';

export interface NotificationPlan {
  /** The most events planned by one call. */
  eventsAtOnce: number;
  /** The most notifications to one target in progress, over all processes. */
  inHandOfTarget: number;
  /** A notification that was announced and not begun within this time is announced again. */
  lostAfterSeconds: number;
}

const deliverable = alertTypes.filter((type) => type.deliverable).map(({ code }) => code);

/**
 * Creates a notification for each target that asks for an unplanned event, and queues notifications that are due, a few
 * of each target at a time. Returns how many events and notifications. Planners may run concurrently.
 */
export async function planNotifications(database: Database, plan: NotificationPlan): Promise<number> {
  return await transact(database, async (session) => {
    if (!(await isOnlyPlanner(session, 'plan_deliveries'))) return 0;
    const planned = await planEvents(session, plan);
    return planned + (await announceDue(session, plan));
  });
}

/**
 * An event is sent to the targets that existed when it was raised or last became graver; for a suspended organization
 * it waits.
 */
async function planEvents({ db }: Session, { eventsAtOnce }: NotificationPlan): Promise<number> {
  const { rows } = await sql<{ planned: number }>`
    with picked as (
      select org_id, id from event where not delivery_planned order by org_id, id limit ${eventsAtOnce}
      for update skip locked
    ), marked as (
      update event e set delivery_planned = true from picked p where e.org_id = p.org_id and e.id = p.id
      returning e.org_id, e.id, e.type, e.severity, e.title, e.message,
        coalesce(e.graver_at, e.created_at) as since
    ), wanted as (
      insert into event_delivery (org_id, id, event_id, target_id, severity, title, message, due_at)
      select m.org_id, gen_random_uuid(), m.id, t.id, m.severity, m.title, m.message, ledger_now()
      from marked m join delivery_target t on t.org_id = m.org_id
      where t.enabled and t.removed_at is null and m.since >= t.created_at
        and m.type = any(${deliverable}) and (cardinality(t.types) = 0 or m.type = any(t.types))
        and ${severityRank(sql`m.severity`)} >= ${severityRank(sql`t.least_severity`)}
      on conflict (org_id, event_id, target_id) do nothing
    )
    select count(*) as planned from marked`.execute(db);
  return rows[0]!.planned;
}

/**
 * Steps from target to target in the index of open notifications, so that a target with a large backlog does not hide
 * others.
 */
async function announceDue(session: Session, { inHandOfTarget, lostAfterSeconds }: NotificationPlan): Promise<number> {
  const { rows } = await sql<{ org_id: string; id: string }>`
    with recursive target as (
      (select org_id, target_id from event_delivery where state in ('waiting', 'failed')
       order by org_id, target_id limit 1)
      union all
      select next.* from target t cross join lateral (
        select org_id, target_id from event_delivery
        where state in ('waiting', 'failed') and (org_id, target_id) > (t.org_id, t.target_id)
        order by org_id, target_id limit 1) next
    ), picked as (
      select due.* from target t cross join lateral (
        select count(*) as notifications from event_delivery d
        where d.org_id = t.org_id and d.target_id = t.target_id and d.hand is not null and d.due_at > ledger_now()) held
      cross join lateral (
        select org_id, id from event_delivery d
        where d.org_id = t.org_id and d.target_id = t.target_id and d.state in ('waiting', 'failed')
          and d.due_at <= ledger_now() and ${isNotSuspended(sql`t.org_id`)}
        order by d.due_at, d.id limit greatest(${inHandOfTarget} - held.notifications, 0) for update skip locked) due
    )
    update event_delivery d set hand = 'announced', due_at = ledger_now() + make_interval(secs => ${lostAfterSeconds})
    from picked p where d.org_id = p.org_id and d.id = p.id returning d.org_id, d.id`.execute(session.db);
  const byOrg = Map.groupBy(rows, ({ org_id: orgId }) => orgId);
  for (const [orgId, some] of byOrg)
    await announce(
      session,
      orgId,
      some.map(({ id }) => ({ job: 'deliverEvent', payload: { orgId, deliveryId: id } })),
    );
  return rows.length;
}
