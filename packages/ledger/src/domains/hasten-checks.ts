import type { AppliedPolicy, Db, Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** News of reports that a domain is checked for: see the columns of the table. */
type CheckCause = 'selector' | 'report' | 'policy';

const SOON = sql`interval '1 minute'`;
const APART = sql`interval '1 hour'`;

/**
 * Has monitored domains checked soon, for each cause at most once an hour: news within the hour waits for its end. The
 * first report is news once. A check under way, which may not see the news, is followed by another one. (rules,
 * domain-checks/time-of-the-next-check)
 */
export async function hastenChecks(
  { db }: Session,
  orgId: string,
  domainIds: readonly string[],
  cause: CheckCause,
): Promise<void> {
  if (domainIds.length === 0) return;
  const at = sql.ref(`d.${cause}_check_at`);
  const isNews = cause === 'report' ? sql`${at} is null` : sql`(${at} is null or ${at} <= now())`;
  await sql`
    with hastened as (
      select id, greatest(now() + ${SOON}, ${at} + ${APART}) as due_at from domain d
      where org_id = ${orgId} and id = any(${domainIds}::uuid[]) and monitored and ${isNews} order by id for update
    )
    update domain d set ${sql.ref(`${cause}_check_at`)} = h.due_at,
      check_again_at = case when d.check_again_at > now() then least(d.check_again_at, h.due_at) else h.due_at end,
      check_due_at = case when d.check_planned then d.check_due_at else least(d.check_due_at, h.due_at) end
    from hastened h where d.org_id = ${orgId} and d.id = h.id`.execute(db);
}

/**
 * Has all monitored domains of an organization checked now, as what their records are compared with has changed. A
 * check under way, which may have read what was before, is followed by another one.
 */
export async function hastenAllChecks({ db }: Session, orgId: string): Promise<void> {
  await sql`
    with hastened as (select id from domain where org_id = ${orgId} and monitored order by id for update)
    update domain d set
      check_again_at = case when not d.check_planned then d.check_again_at
        when d.check_again_at > now() then least(d.check_again_at, now() + ${SOON}) else now() + ${SOON} end,
      check_due_at = case when d.check_planned then d.check_due_at else least(d.check_due_at, now()) end
    from hastened h where d.org_id = ${orgId} and d.id = h.id`.execute(db);
}

/** Returns the policies that were read last, by domain, with the current day; a domain without one is missing. */
export async function findReadPolicies(
  db: Db,
  orgId: string,
  domainIds: readonly string[],
): Promise<Map<string, { policy: AppliedPolicy; today: Day }>> {
  const { rows } = await sql<{ domain_id: string; policy: AppliedPolicy; today: Day }>`
    select domain_id, policy, (ledger_now() at time zone 'utc')::date::text as today from domain_check
    where org_id = ${orgId} and domain_id = any(${domainIds}::uuid[]) and subject = 'dmarc'
      and policy is not null`.execute(db);
  return new Map(rows.map(({ domain_id, ...read }) => [domain_id, read]));
}
