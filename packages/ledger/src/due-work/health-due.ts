import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Has the health of these domains computed again soon; further calls until then change nothing. */
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

/** The same for monitored domains by name. */
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
