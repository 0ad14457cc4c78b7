import { findChecks, type StoredCheck } from '@dmarc-ledger/facts';
import type { AppliedPolicy, Db, DomainCheckTable, Session } from '@dmarc-ledger/schema';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { watchDomains } from '../due-work/watch-changes.ts';

/** The finding of a check about one subject. */
export type NewCheck = Omit<
  Insertable<DomainCheckTable>,
  'org_id' | 'domain_id' | 'changed_at' | 'is_partial' | 'policy' | 'kept' | 'facts'
> & {
  /** True if some of the records could not be read. */
  is_partial: boolean;
  policy: AppliedPolicy | null;
  /** State that the next check may use; JSON. */
  kept: unknown;
  /** Further facts, to compare with earlier ones; JSON. */
  facts: unknown;
};

/** A domain to be checked, and its organization. */
export interface CheckedDomain {
  id: string;
  name: string;
  createdAt: Date;
  /** When it was read here, by the database's clock. */
  begunAt: Date;
  /** When the newest check that is stored began, by its worker's clock; null before the first. */
  checkedAt: Date | null;
  failures: number;
  reportAddresses: string[];
  /** True if reports of its scoring window have messages. */
  hasMail: boolean;
  checks: Map<string, StoredCheck>;
}

/** The scoring window ends on the newest report day up to today. */
const hasMail = sql<boolean>`exists (
  select from domain_day x where x.org_id = d.org_id and x.domain_id = d.id and x.messages > 0 and x.day > (
    select max(day) - 30 from domain_day n where n.org_id = d.org_id and n.domain_id = d.id and n.reports > 0
      and n.day <= (ledger_now() at time zone 'utc')::date))`;

export async function findCheckedDomain(db: Db, orgId: string, domainId: string): Promise<CheckedDomain | undefined> {
  const row = await db
    .selectFrom('domain as d')
    .innerJoin('organization as o', 'o.id', 'd.org_id')
    .select([
      'd.id',
      'd.name',
      'd.created_at',
      'd.checked_at',
      'd.check_failures',
      'o.report_addresses',
      hasMail.as('has_mail'),
    ])
    .select(sql<Date>`now()`.as('begun_at'))
    .where('d.org_id', '=', orgId)
    .where('d.id', '=', domainId)
    .where('d.monitored', '=', true)
    .executeTakeFirst();
  if (!row) return undefined;
  const checks = await findChecks(db, orgId, domainId);
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    begunAt: row.begun_at,
    checkedAt: row.checked_at,
    failures: row.check_failures,
    reportAddresses: row.report_addresses,
    hasMail: row.has_mail,
    checks: new Map(checks.map((check) => [check.subject, check])),
  };
}

/** The consequences of a check for the domain itself. */
export interface DomainOutcome {
  states: { dmarc_state: string; tlsrpt_state: string; forensic_state: string; aprf_state: string };
  verifiedAt: Date | null;
  verifiedSource: 'self' | 'inherited' | null;
  inheritedFrom: string | null;
  failures: number;
  dueAt: Date;
  checkedAt: Date;
  /** Of the check that was stored when this one began. */
  checkedBefore: Date | null;
  /** News since then has the domain checked again. */
  begunAt: Date;
}

/**
 * Stores the findings; where one differs from the stored one, stores both in the history. Returns false, and stores
 * nothing, when those of a check that began later have been stored since this one began: two run at once when a person
 * checks a domain, or a silent worker's job is taken over.
 */
export async function saveChecks(
  session: Session,
  { orgId, domainId }: { orgId: string; domainId: string },
  checks: readonly NewCheck[],
  outcome: DomainOutcome,
): Promise<boolean> {
  const { db } = session;
  const rows = JSON.stringify(
    checks.map((check) => ({ ...check, org_id: orgId, domain_id: domainId, changed_at: check.checked_at })),
  );
  // Checks of a domain are stored one at a time; rows locked by the statement that changes them would not show their
  // earlier state.
  const { rows: held } = await sql<{ is_late: boolean | null }>`
    select checked_at is distinct from ${outcome.checkedBefore} and checked_at > ${outcome.checkedAt} as is_late
    from domain where org_id = ${orgId} and id = ${domainId} for no key update`.execute(db);
  if (held[0]?.is_late) return false;
  // taken before the rows that an event changes, as the rules take this lock first
  await watchDomains(session, orgId, [domainId]);
  await sql`
    with n as (select * from json_populate_recordset(null::domain_check, ${rows}::json)),
    old as (
      select c.* from domain_check c join n using (org_id, domain_id, subject)
    ), changed as (
      select n.*, old.status as before from n left join old using (org_id, domain_id, subject)
      where old.subject is null or ${isDifferent('old', 'n')} or coalesce(old.is_partial, false) <> n.is_partial
    ), history as (
      insert into domain_check_change (org_id, domain_id, id, subject, at, before, status, details, records,
        is_partial)
      select org_id, domain_id, gen_random_uuid(), subject, checked_at, before, status, details, records, is_partial
      from changed
    )
    insert into domain_check as c select * from n order by subject
    on conflict (org_id, domain_id, subject) do update set status = excluded.status, details = excluded.details,
      has_record = excluded.has_record, records = excluded.records, is_partial = excluded.is_partial, notes = excluded.notes,
      inherited_from = excluded.inherited_from, policy = excluded.policy,
      policy_read_at = excluded.policy_read_at, kept = excluded.kept, facts = excluded.facts,
        checked_at = excluded.checked_at,
      changed_at = case when ${isDifferent('c', 'excluded')} then excluded.checked_at else c.changed_at end,
      verified_at = excluded.verified_at, failures = excluded.failures, failed_at = excluded.failed_at`.execute(db);
  await db
    .updateTable('domain')
    .set({
      ...outcome.states,
      verified_at: outcome.verifiedAt,
      verified_source: outcome.verifiedSource,
      inherited_from: outcome.inheritedFrom,
      checked_at: outcome.checkedAt,
      check_failures: outcome.failures,
      check_due_at: sql<Date>`least(${outcome.dueAt}::timestamptz,
        case when check_again_at > ${outcome.begunAt}::timestamptz then check_again_at end)`,
      check_planned: false,
      health_due_at: sql<Date>`now()`,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', domainId)
    .execute();
  return true;
}

/** Records at one name have no order: servers rotate them. (rules, domain-checks/answers-of-name-servers) */
function isDifferent(one: 'old' | 'c', other: 'n' | 'excluded'): RawBuilder<boolean> {
  const sorted = (row: string) =>
    sql`(select array_agg(t order by t collate "C") from unnest(${sql.ref(`${row}.records`)}) as u (t))`;
  return sql`(${sql.ref(`${one}.status`)} <> ${sql.ref(`${other}.status`)}
    or ${sorted(one)} is distinct from ${sorted(other)})`;
}
