import { sql } from 'kysely';
import type { Session } from '../transaction.ts';
import { announceJudgement } from './unjudged-sources.ts';

/** An address that reports of an organization mention. */
export interface NamedSource {
  address: string;
  /** Some of its mail failed DMARC: looked up before those whose mail passes. */
  isFailing: boolean;
}

/**
 * Notes that an organization has heard of addresses. One that nobody had heard of waits to be looked up; one that is
 * known already has its mail here judged by what is known. Noting again changes nothing.
 */
export async function noteSources(session: Session, orgId: string, sources: readonly NamedSource[]): Promise<void> {
  if (sources.length === 0) return;
  const { db } = session;
  const addresses = sources.map(({ address }) => address);
  const failing = sources.filter(({ isFailing }) => isFailing).map(({ address }) => address);
  const { rows } = await sql<{ address: string }>`
    with named as (
      select address, address = any(${failing}::inet[]) as is_failing from unnest(${addresses}::inet[]) as address
    ), fresh as (
      insert into ip_enrichment (address, is_failing, priority)
      select address, is_failing, case when is_failing then 0 else 1 end from named order by address
      on conflict do nothing
    )
    insert into ip_interest (address, org_id) select address, ${orgId} from named order by address
    on conflict do nothing returning address`.execute(db);
  await refresh(session, addresses, failing);
  if (rows.length === 0) return;
  // Who changes a fact reads the interested after it has the row: waiting for the row, one of us sees the other.
  const known = await sql<{ address: string }>`
    select address from ip_enrichment where address = any(${rows.map(({ address }) => address)}::inet[]) and version > 0
    order by address for share`.execute(db);
  await announceJudgement(
    session,
    orgId,
    known.rows.map(({ address }) => address),
  );
}

/** Says that addresses are still spoken of, now and then; and that one has begun to fail, at once. */
async function refresh({ db }: Session, addresses: string[], failing: string[]): Promise<void> {
  await sql`
    with heard as (
      select address from ip_enrichment where address = any(${addresses}::inet[])
        and mentioned_at < now() - interval '12 hours' order by address for update skip locked
    )
    update ip_enrichment e set mentioned_at = now() from heard h where e.address = h.address`.execute(db);
  if (failing.length === 0) return;
  await sql`
    with begun as (
      select address from ip_enrichment where address = any(${failing}::inet[]) and not is_failing
      order by address for update skip locked
    )
    update ip_enrichment e set is_failing = true, priority = least(priority, case when enriched_at is null then 0 else 2 end),
      lists_due_at = case when list_scope = 'ingest' then now() else lists_due_at end,
      due_at = case when planned then due_at when list_scope = 'ingest' then now() else due_at end
    from begun b where e.address = b.address`.execute(db);
}
