import type { Session } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';

/**
 * Has the health of the domains of these reports computed again soon; further calls until then change nothing. To be
 * called at the end of the transaction that changes what health rests on.
 */
export async function makeReportedHealthDue(
  session: Session,
  orgId: string,
  reportIds: readonly string[],
): Promise<void> {
  await makeDue(
    session,
    orgId,
    sql`id in (select domain_id from report where org_id = ${orgId} and id = any(${reportIds}::uuid[]))`,
  );
}

/** The same for domains by id. */
export async function makeDomainsHealthDue(
  session: Session,
  orgId: string,
  domainIds: readonly string[],
): Promise<void> {
  await makeDue(session, orgId, sql`id = any(${domainIds}::uuid[])`);
}

/** The same for domains by name. */
export async function makeNamedHealthDue(session: Session, orgId: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await makeDue(session, orgId, sql`name = any(${names}::text[])`);
}

/**
 * A domain that another transaction has locked is not waited for: domains have no place in the order of locks. That
 * transaction may store a health that was computed without this change, so another one is announced.
 */
async function makeDue({ db }: Session, orgId: string, isMeant: RawBuilder<unknown>): Promise<void> {
  await sql`
    with wanted as materialized (
      select id from domain
      where org_id = ${orgId} and monitored and health_due_at > now() + interval '30 seconds' and ${isMeant}
    ), held as materialized (
      select id from domain where org_id = ${orgId} and id in (select id from wanted)
      order by id for no key update skip locked
    ), due as (
      update domain d set health_due_at = least(d.health_due_at, now() + interval '30 seconds') from held
      where d.org_id = ${orgId} and d.id = held.id
    )
    insert into outbox (id, org_id, job, payload)
    select gen_random_uuid(), ${orgId}, 'computeHealth', jsonb_build_object('orgId', ${orgId}::text, 'domainId', id)
    from wanted where id not in (select id from held)`.execute(db);
}
