import type { Session } from '@dmarc-ledger/schema';
import type { OpenDrop, SeenRecords } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The state that the rules left when they last judged a domain. */
export interface SeenOfDomain {
  records: SeenRecords;
  /** Drops of compliance that were reported and are not over. */
  drops: readonly OpenDrop[];
}

/** A domain locked for the rules until the transaction ends. */
export interface WatchedDomain {
  id: string;
  name: string;
  isMonitored: boolean;
  /** True if the domain was discovered in reports rather than added. */
  isDiscovered: boolean;
  /** True if the events raised once per domain have been raised. */
  isFirstRaised: boolean;
  isDiscoveryReported: boolean;
  reportedAt: Date | null;
  knownUntil: Day;
  seen: SeenOfDomain;
  now: Date;
  today: Day;
}

/**
 * Locks a domain for the rules; undefined if there is none. A change from now on makes it due again. The domain is read
 * by a statement that begins under the lock: one that has waited for it would still see the domain as monitored.
 */
export async function holdWatch({ db }: Session, orgId: string, domainId: string): Promise<WatchedDomain | undefined> {
  await sql`select from event_watch where org_id = ${orgId} and domain_id = ${domainId} for update`.execute(db);
  const { rows } = await sql<Omit<WatchedDomain, 'seen'> & { seen: Partial<SeenOfDomain> }>`
    select d.id, d.name, d.monitored as "isMonitored", d.source = 'auto' as "isDiscovered",
      w.reported_at as "reportedAt", exists (select from event_condition c where c.org_id = d.org_id
        and c.key = 'first_report_received/' || d.name) as "isFirstRaised",
      exists (select from event_condition c where c.org_id = d.org_id
        and c.key = 'domain_discovered/' || d.name) as "isDiscoveryReported",
      w.known_until::text as "knownUntil", w.seen, ledger_now() as now,
        (ledger_now() at time zone 'utc')::date::text as today
    from event_watch w join domain d on d.org_id = w.org_id and d.id = w.domain_id
    where w.org_id = ${orgId} and w.domain_id = ${domainId}`.execute(db);
  const row = rows[0];
  return row && { ...row, seen: { records: row.seen.records ?? {}, drops: row.seen.drops ?? [] } };
}

/** Stops judging a domain that is not monitored, until something about it changes. */
export async function dropWatch({ db }: Session, orgId: string, domainId: string): Promise<void> {
  await sql`delete from event_source where org_id = ${orgId} and domain_id = ${domainId}`.execute(db);
  await sql`
    update event_watch set due_at = 'infinity' where org_id = ${orgId} and domain_id = ${domainId}`.execute(db);
}

/**
 * Stores the state, and when to judge again without a change: in the morning, when the day's figures are complete; when
 * reports have been missing for long enough; when an event ends; or when a source is due.
 */
export async function finishWatch(
  { db }: Session,
  orgId: string,
  { id, name }: WatchedDomain,
  { seen, silentAt }: { seen: SeenOfDomain; silentAt: Date | undefined },
): Promise<void> {
  await sql`
    update event_watch set seen = ${JSON.stringify(seen)}::jsonb, due_at = least(
      date_trunc('day', (ledger_now() - interval '6 hours') at time zone 'utc') at time zone 'utc'
        + interval '30 hours',
      ${silentAt ?? null}::timestamptz,
      (select min(ends_at) from event_condition where org_id = ${orgId} and domain = ${name} and holds),
      (select min(due_at) from event_source where org_id = ${orgId} and domain_id = ${id}))
    where org_id = ${orgId} and domain_id = ${id}`.execute(db);
}
