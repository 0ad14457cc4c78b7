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
  const failing = addressesOf(sources.filter(({ isFailing }) => isFailing));
  const { fresh, newToOrg } = await enter(session, orgId, sources, areLookedUp);
  const known = sources.filter(({ address }) => !fresh.has(address));
  await markFailing(session, addressesOf(known.filter(({ isFailing }) => isFailing)));
  await refresh(session, orgId, addressesOf(known));
  const states = [
    ...newToOrg.filter((address) => fresh.has(address)).map((address) => ({ address, ...nothingKnown(areLookedUp) })),
    ...(await holdStates(
      session,
      newToOrg.filter((address) => !fresh.has(address)),
    )),
  ];
  const unknowable = new Set(addressesOf(sources.filter((source) => source.isNeverLookedUp)));
  await announceJudgement(
    session,
    orgId,
    addressesOf(states.filter(({ version, address }) => version > 0 || unknowable.has(address))),
  );
  if (areLookedUp)
    await waitFor(session, orgId, { waiting: addressesOf(states.filter(({ in_line }) => in_line)), failing });
}

/** How far the lookup of an address is. */
interface LookupState {
  address: string;
  /** Zero until the first facts are known. */
  version: number;
  in_line: boolean;
}

/** Enters addresses that no organization had (`fresh`), and those that are new to this one (`newToOrg`). */
async function enter({ db }: Session, orgId: string, sources: readonly NamedSource[], areLookedUp: boolean) {
  const { rows } = await sql<{ address: string; is_fresh: boolean }>`
    with named as (
      select * from unnest(${addressesOf(sources)}::inet[], ${sources.map(({ isFailing }) => isFailing)}::boolean[])
        as s (address, is_failing)
    ), fresh as (
      insert into ip_enrichment (address, is_failing, priority, in_line, due_at)
      select address, is_failing, case when is_failing then 0 else 1 end, ${areLookedUp}::boolean,
        case when ${areLookedUp}::boolean then now() + interval '1 day' else now() end
      from named order by address
      on conflict do nothing returning address
    ), new_to_org as (
      insert into ip_interest (address, org_id) select address, ${orgId} from named order by address
      on conflict do nothing returning address
    )
    select address, true as is_fresh from fresh union all select address, false from new_to_org`.execute(db);
  const of = (isFresh: boolean) => addressesOf(rows.filter(({ is_fresh }) => is_fresh === isFresh));
  return { fresh: new Set(of(true)), newToOrg: of(false) };
}

/** Of an address that this transaction has entered: no other can see its row, so that there is nothing to lock. */
function nothingKnown(areLookedUp: boolean): Omit<LookupState, 'address'> {
  return { version: 0, in_line: areLookedUp };
}

/**
 * Reads how far the lookup of addresses is that are new to an organization. A transaction that changes a fact reads the
 * interested organizations after it has locked the row: whatever this statement saw when it began, one of the two sees
 * the other.
 */
async function holdStates({ db }: Session, addresses: readonly string[]): Promise<LookupState[]> {
  if (addresses.length === 0) return [];
  const { rows } = await sql<LookupState>`
    select address, version, in_line from ip_enrichment where address = any(${addresses}::inet[])
    order by address for share`.execute(db);
  return rows;
}

function addressesOf(rows: readonly { address: string }[]): string[] {
  return rows.map(({ address }) => address);
}

/**
 * Records now and then that addresses are still in use: one that was unused for long is looked up again. For one that
 * has begun to send much, all lists are queried. Skips what another transaction holds: the next mention repeats it.
 */
async function refresh({ db }: Session, orgId: string, addresses: string[]): Promise<void> {
  if (addresses.length === 0) return;
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
