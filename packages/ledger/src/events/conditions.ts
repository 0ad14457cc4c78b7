import type { Session } from '@dmarc-ledger/schema';
import type { Holding, KnownCondition } from '@dmarc-ledger/scoring';
import { sql, type RawBuilder } from 'kysely';
import { severityRank } from './severity-rank.ts';

/** What the burst guard adds to the message of an event, in SQL: ` 1,200 more like this.`, or nothing. */
export function moreLikeThis(merged: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when ${merged} > 0 then ' ' || to_char(${merged}, 'FM999,999,999,999')
    || ' more like this.' else '' end`;
}

/** The stored conditions, and the time to judge them by. */
export interface Look {
  known: Map<string, KnownCondition>;
  now: Date;
}

/** Returns what is stored about these conditions; locks them until the transaction ends if requested. */
export async function findKnown(
  { db }: Session,
  orgId: string,
  keys: readonly string[],
  isHeld: boolean,
): Promise<Look> {
  const { rows } = await sql<KnownCondition>`
    select key, severity, holds, false_since as "falseSince", ends_at as "endsAt", occurrence, event_id as "eventId"
    from event_condition where org_id = ${orgId} and key = any(${keys}::text[])
    order by key ${isHeld ? sql`for update` : sql``}`.execute(db);
  const clock = await sql<{ now: Date }>`select ledger_now() as now`.execute(db);
  return { known: new Map(rows.map((row) => [row.key, row])), now: clock.rows[0]!.now };
}

/** Resolves the events of conditions that no longer hold. Returns what they were about. */
export async function endConditions(
  { db }: Pick<Session, 'db'>,
  orgId: string,
  keys: readonly string[],
): Promise<{ domain: string }[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<{ domain: string }>`
    with ended as (
      update event_condition set holds = false, false_since = ledger_now()
      where org_id = ${orgId} and key = any(${keys}::text[]) and holds returning key
    )
    update event set resolved_at = ledger_now()
    where org_id = ${orgId} and dedup_key in (select key from ended) and resolved_at is null
    returning domain`.execute(db);
  return rows;
}

/**
 * Reopens the events of conditions that hold again within a day, with what is wrong now. Returns the conditions that
 * have no event of their own.
 */
export async function reopen({ db }: Session, orgId: string, conditions: readonly Holding[]): Promise<Holding[]> {
  if (conditions.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    with again as (
      update event_condition c set holds = true, false_since = null, severity = w.severity
      from ${rowsOf(conditions)} where c.org_id = ${orgId} and c.key = w.key
      returning c.key, c.event_id, w.severity, w.title, w.message
    )
    update event e set resolved_at = null, severity = a.severity, title = a.title,
      message = a.message || ${moreLikeThis(sql`e.merged`)},
      graver_at = case when ${severityRank(sql`a.severity`)} > ${severityRank(sql`e.severity`)}
        then ledger_now() else e.graver_at end,
      delivery_planned = e.delivery_planned and e.severity = a.severity
    from again a where e.org_id = ${orgId} and e.id = a.event_id and e.dedup_key = a.key
    returning e.dedup_key as key`.execute(db);
  return without(conditions, rows);
}

function without(conditions: readonly Holding[], rows: readonly { key: string }[]): Holding[] {
  const keys = new Set(rows.map(({ key }) => key));
  return conditions.filter(({ key }) => !keys.has(key));
}

/** The severities and texts of conditions as rows `w`. */
function rowsOf(conditions: readonly Holding[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${JSON.stringify(conditions)}::json) as w (key text, severity text, title text,
    message text)`;
}

/**
 * Updates the severity and the texts of open events, and notifies targets that ask for graver ones alone. Returns
 * the conditions that have no event of their own.
 */
export async function worsen({ db }: Session, orgId: string, conditions: readonly Holding[]): Promise<Holding[]> {
  if (conditions.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    with worse as (select * from ${rowsOf(conditions)}), kept as (
      update event_condition c set severity = w.severity from worse w where c.org_id = ${orgId} and c.key = w.key
    )
    update event e set severity = w.severity, title = w.title, message = w.message || ${moreLikeThis(sql`e.merged`)},
      graver_at = ledger_now(), delivery_planned = false
    from worse w where e.org_id = ${orgId} and e.dedup_key = w.key and e.resolved_at is null
    returning e.dedup_key as key`.execute(db);
  return without(conditions, rows);
}

/** Stores that these conditions are raised now. Of concurrent callers only the first succeeds for a condition. */
export async function keepRaised(
  { db }: Session,
  orgId: string,
  conditions: readonly Holding[],
  { held, keptBy }: { held: Look; keptBy: string | null },
): Promise<Holding[]> {
  if (conditions.length === 0) return [];
  const rows = conditions.map(({ key, type, domain, severity, rearm, occurrence }) => {
    const days = typeof rearm === 'object' ? rearm.days : null;
    // a condition that is raised once and never ends is not stored as holding
    const holds = keptBy !== null || typeof rearm === 'object' || rearm === 'after_a_day';
    return { key, type, domain, severity, days, occurrence, holds, is_known: held.known.has(key) };
  });
  // existing rows are locked; a row that has appeared meanwhile was raised by another transaction
  const { rows: kept } = await sql<{ key: string }>`
    with wanted as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as w (key text, type text, domain text, severity text, days integer, occurrence text,
          holds boolean, is_known boolean)
    ), again as (
      update event_condition c set severity = w.severity, holds = w.holds, raised_at = ledger_now(), false_since = null,
        ends_at = ledger_now() + make_interval(days => w.days), occurrence = w.occurrence, kept_by = ${keptBy}
      from wanted w where w.is_known and c.org_id = ${orgId} and c.key = w.key returning c.key
    ), fresh as (
      insert into event_condition (org_id, key, type, domain, severity, holds, raised_at, ends_at, occurrence,
        event_id, kept_by)
      select ${orgId}, key, type, domain, severity, holds, ledger_now(), ledger_now() + make_interval(days => days),
        occurrence, gen_random_uuid(), ${keptBy}
      from wanted where not is_known order by key
      on conflict (org_id, key) do nothing returning key
    )
    select key from again union all select key from fresh`.execute(db);
  const keys = new Set(kept.map(({ key }) => key));
  return conditions.filter(({ key }) => keys.has(key));
}
