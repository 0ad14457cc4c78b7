import type { DomainHealth } from '@dmarc-ledger/scoring';
import { sql } from 'kysely';
import type { Database, Db } from '../database.ts';
import type { Placement } from '../read/placement.ts';
import { transact, type Session } from '../transaction.ts';
import { announce } from '../write/announce-work.ts';
import { isOnlyPlanner } from './only-planner.ts';

/** What is kept of a domain's health. */
export interface DomainHealthBody {
  health: DomainHealth;
  placement: Placement[];
}

/** A health as it was computed last. */
export interface HeldHealth {
  body: DomainHealthBody;
  computedAt: Date;
  /** Nothing of it has changed since. */
  isCurrent: boolean;
}

export async function findHealth(db: Db, orgId: string, domain: string): Promise<HeldHealth | undefined> {
  const row = await db
    .selectFrom('domain as d')
    .innerJoin('domain_health as h', (join) =>
      join.onRef('h.org_id', '=', 'd.org_id').onRef('h.domain_id', '=', 'd.id'),
    )
    .select([
      'h.body',
      'h.computed_at',
      sql<boolean>`not d.health_planned and d.health_due_at > now() + interval '30 seconds'`.as('is_current'),
    ])
    .where('d.org_id', '=', orgId)
    .where('d.name', '=', domain)
    .where('d.monitored', '=', true)
    .executeTakeFirst();
  if (!row) return undefined;
  const body = row.body as DomainHealthBody; // written from one, and by nothing else
  return { body, computedAt: row.computed_at, isCurrent: row.is_current };
}

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

/** Has the health of these domains computed again in a little while, however often that is said meanwhile. */
export async function makeHealthDue({ db }: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await sql`
    with reported as (
      select id from domain where org_id = ${orgId} and monitored and health_due_at > now() + interval '30 seconds'
        and id in (select domain_id from report where org_id = ${orgId} and id = any(${reportIds}::uuid[]))
      order by id for update skip locked
    )
    update domain d set health_due_at = now() + interval '30 seconds' from reported r
    where d.org_id = ${orgId} and d.id = r.id`.execute(db);
}

/** The same for monitored domains by their names. */
export async function makeDomainsHealthDue({ db }: Session, orgId: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    with due as (
      select id from domain where org_id = ${orgId} and name = any(${names}::text[])
        and health_due_at > now() + interval '30 seconds' order by id for update skip locked
    )
    update domain d set health_due_at = now() + interval '30 seconds' from due
    where d.org_id = ${orgId} and d.id = due.id`.execute(db);
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
