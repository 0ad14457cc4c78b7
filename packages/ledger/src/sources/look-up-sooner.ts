import type { Session } from '@dmarc-ledger/schema';
import { FULL_CHECK_MESSAGES } from '@dmarc-ledger/sources';
import { type RawBuilder, sql } from 'kysely';

/** What has happened to a source since its lookups were planned. */
export interface SourceChange {
  /** The table of its facts. */
  facts: string;
  hasBegunToFail: RawBuilder<boolean>;
  wasDormant: RawBuilder<boolean>;
}

/**
 * Columns with the latest time of each lookup; null where its time stays. One that was dormant is looked up at once;
 * one that has begun to fail after the intervals of failing ones (docs/enrichment.md), all lists at once. Where the
 * reputation service has never rated an address, a change of its mail is no reason to ask again.
 */
export function latestLookups({ facts, hasBegunToFail, wasDormant }: SourceChange): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${facts}.${column}`);
  return sql`
    case when ${wasDormant} then now() when ${hasBegunToFail} then ${of('ptr_at')} + interval '1 day' end as ptr_by,
    case when ${wasDormant} or (${hasBegunToFail} and ${of('list_scope')} = 'ingest') then now()
      when ${hasBegunToFail} then ${of('lists_at')} + interval '1 day' end as lists_by,
    case when ${wasDormant} and ${of('abuse_at')} is not null then now()
      when ${hasBegunToFail} then ${of('abuse_at')} + interval '3 days' end as abuse_by`;
}

/**
 * Records now and then that addresses are still in use: one that was unused for long is looked up again. For one that
 * has begun to send much, all lists are queried. Skips what another transaction holds: the next mention repeats it.
 */
export async function refresh({ db }: Session, orgId: string, addresses: string[]): Promise<void> {
  if (addresses.length === 0) return;
  const wasDormant = sql<boolean>`mentioned_at < now() - interval '14 days'`;
  await sql`
    with seen as (
      select address, ${latestLookups({ facts: 'ip_enrichment', hasBegunToFail: sql`false`, wasDormant })}
      from ip_enrichment where address = any(${addresses}::inet[]) and mentioned_at < now() - interval '12 hours'
        order by address for update skip locked
    )
    update ip_enrichment e set mentioned_at = now(), ptr_due_at = least(ptr_due_at, ptr_by),
      lists_due_at = least(lists_due_at, lists_by), abuse_due_at = least(abuse_due_at, abuse_by),
      due_at = case when planned then due_at else least(due_at, ptr_by, lists_by, abuse_by) end
    from seen h where e.address = h.address`.execute(db);
  await sql`
    with grown as (
      select e.address from ip_enrichment e join source_total t on t.org_id = ${orgId} and t.source_ip = e.address
      where e.address = any(${addresses}::inet[]) and e.list_scope = 'ingest'
        and e.lists_due_at > now() + interval '1 day'
        and t.messages >= ${FULL_CHECK_MESSAGES} order by e.address for update of e skip locked
    )
    update ip_enrichment e set lists_due_at = now(), due_at = case when planned then due_at else now() end
    from grown g where e.address = g.address`.execute(db);
}

/**
 * Marks addresses that have begun to fail, which are looked up sooner. Waits for transactions that have locked one of
 * them, because nothing repeats what is skipped here. Locks them in order, before this transaction locks others.
 */
export async function markFailing({ db }: Session, failing: readonly string[]): Promise<void> {
  if (failing.length === 0) return;
  await sql`
    with begun as (
      select address, ${latestLookups({ facts: 'ip_enrichment', hasBegunToFail: sql`true`, wasDormant: sql`false` })}
      from ip_enrichment where address = any(${failing}::inet[]) and not is_failing
      order by address for update
    )
    update ip_enrichment e set is_failing = true,
      priority = least(priority, case when enriched_at is null then 0 else 2 end),
      ptr_due_at = least(ptr_due_at, ptr_by), lists_due_at = least(lists_due_at, lists_by),
      abuse_due_at = least(abuse_due_at, abuse_by),
      due_at = case when planned then due_at else least(due_at, ptr_by, lists_by, abuse_by) end
    from begun b where e.address = b.address`.execute(db);
}
