import type { Session } from '@dmarc-ledger/schema';
import { FULL_CHECK_MESSAGES } from '@dmarc-ledger/sources';
import { sql } from 'kysely';
import { waitFor } from './awaited-addresses.ts';
import { announceJudgement } from './unjudged-sources.ts';

/** An address in the reports of an organization. */
export interface NamedSource {
  address: string;
  /** True if some of its mail failed DMARC: it is looked up before addresses whose mail passes. */
  isFailing: boolean;
  /** True if it is not public, so that its mail alone says what it is. */
  isNeverLookedUp?: boolean;
}

export interface Noting {
  /**
   * False while this installation looks nothing up about addresses: a queue that nothing reads would only grow. The
   * planner queues them once lookups are switched on. Default: true.
   */
  areLookedUp?: boolean | undefined;
}

/**
 * Records that an organization has seen addresses. A new address is queued for lookup; for a known one the
 * organization's mail is judged by the known facts. Recording it again changes nothing.
 */
export async function noteSources(
  session: Session,
  orgId: string,
  sources: readonly NamedSource[],
  { areLookedUp = true }: Noting = {},
): Promise<void> {
  if (sources.length === 0) return;
  const { db } = session;
  const addresses = sources.map(({ address }) => address);
  const failing = sources.filter(({ isFailing }) => isFailing).map(({ address }) => address);
  const { rows } = await sql<{ address: string }>`
    with named as (
      select * from unnest(${addresses}::inet[], ${sources.map(({ isFailing }) => isFailing)}::boolean[]) as s
        (address, is_failing)
    ), fresh as (
      insert into ip_enrichment (address, is_failing, priority, in_line, due_at)
      select address, is_failing, case when is_failing then 0 else 1 end, ${areLookedUp}::boolean,
        case when ${areLookedUp}::boolean then now() + interval '1 day' else now() end
      from named order by address
      on conflict do nothing
    )
    insert into ip_interest (address, org_id) select address, ${orgId} from named order by address
    on conflict do nothing returning address`.execute(db);
  await markFailing(session, failing);
  await refresh(session, orgId, addresses);
  const queue = (waiting: string[]) => (areLookedUp ? waitFor(session, orgId, { waiting, failing }) : undefined);
  if (rows.length === 0) return await queue([]);
  // A transaction that changes a fact reads the interested organizations after it has locked the row: whatever this
  // statement saw when it began, one of the two sees the other.
  const seen = await sql<{ address: string; version: number; in_line: boolean }>`
    select address, version, in_line from ip_enrichment
      where address = any(${rows.map(({ address }) => address)}::inet[])
    order by address for share`.execute(db);
  const unknowable = new Set(sources.filter((source) => source.isNeverLookedUp).map(({ address }) => address));
  await announceJudgement(
    session,
    orgId,
    seen.rows.filter(({ version, address }) => version > 0 || unknowable.has(address)).map(({ address }) => address),
  );
  await queue(seen.rows.filter(({ in_line }) => in_line).map(({ address }) => address));
}

/**
 * Records now and then that addresses are still in use: one that was unused for long is looked up again. For one that
 * has begun to send much, all lists are queried. Skips what another transaction holds: the next mention repeats it.
 */
async function refresh({ db }: Session, orgId: string, addresses: string[]): Promise<void> {
  await sql`
    with seen as (
      select address, mentioned_at < now() - interval '14 days' as is_dormant from ip_enrichment
      where address = any(${addresses}::inet[]) and mentioned_at < now() - interval '12 hours'
        order by address for update skip locked
    )
    update ip_enrichment e set mentioned_at = now(),
      ptr_due_at = case when is_dormant then least(ptr_due_at, now()) else ptr_due_at end,
      lists_due_at = case when is_dormant then least(lists_due_at, now()) else lists_due_at end,
      due_at = case when is_dormant and not planned then least(due_at, now()) else due_at end
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
 * Marks addresses that have begun to fail: all lists are queried for them. Waits for transactions that have locked one
 * of them, because nothing repeats what is skipped here. Locks them in order, before this transaction locks others.
 */
async function markFailing({ db }: Session, failing: readonly string[]): Promise<void> {
  if (failing.length === 0) return;
  await sql`
    with begun as (
      select address from ip_enrichment where address = any(${failing}::inet[]) and not is_failing
      order by address for update
    )
    update ip_enrichment e set is_failing = true,
      priority = least(priority, case when enriched_at is null then 0 else 2 end),
      lists_due_at = case when list_scope = 'ingest' then now() else lists_due_at end,
      due_at = case when planned then due_at when list_scope = 'ingest' then now() else due_at end
    from begun b where e.address = b.address`.execute(db);
}
