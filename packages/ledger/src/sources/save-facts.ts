import type { Enrichment } from '@dmarc-ledger/facts';
import type { Database, Db, Session } from '@dmarc-ledger/schema';
import type { KnownResult } from '@dmarc-ledger/sources';
import { sql } from 'kysely';
import { latestLookups } from './look-up-sooner.ts';
import { announceJudgement } from './unjudged-sources.ts';

/** The facts about an address that one run of its lookups found. */
export interface FoundFacts {
  /** The new row. `version` is the version it is based on; `planned` is ignored. */
  row: Enrichment;
  /** The results of the lists, including errors; absent to keep the stored ones. */
  lists?: readonly KnownResult[] | undefined;
  /** True if a fact has changed that judging uses. */
  isChanged: boolean;
}

/** Returns how much mail an address sends in all organizations, as far as some of them have counted it. */
export async function findVolumes(
  db: Db,
  addresses: readonly string[],
): Promise<Map<string, { messages: number; failing: number }>> {
  const { rows } = await sql<{ address: string; messages: number; failing: number }>`
    select a.address, coalesce(sum(t.messages), 0) as messages, coalesce(sum(t.messages - t.compliant), 0) as failing
    from unnest(${addresses}::inet[]) as a (address)
      cross join lateral (select org_id from ip_interest i where i.address = a.address limit 20) i
      join source_total t on t.org_id = i.org_id and t.source_ip = a.address
    group by a.address`.execute(db);
  return new Map(rows.map(({ address, ...volume }) => [address, volume]));
}

/**
 * Stores facts. If judging uses a fact that changed, every organization that has seen the address has its mail judged
 * again, exactly once, as the change is committed with the work that it causes. A concurrent run's result is replaced,
 * and counts as changed; a source that began to fail meanwhile, or was named again after a long time, is still looked
 * up sooner.
 */
export async function saveFacts(session: Session, found: readonly FoundFacts[]): Promise<void> {
  if (found.length === 0) return;
  const { db } = session;
  const rows = JSON.stringify(found.map(({ row }) => row));
  const hasBegunToFail = sql<boolean>`e.is_failing and not n.is_failing`;
  const wasDormant = sql<boolean>`n.mentioned_at < e.mentioned_at - interval '14 days'`;
  const different = found.filter(({ isChanged }) => isChanged).map(({ row }) => row.address);
  const { rows: saved } = await sql<{ address: string; version: number; built_on: number }>`
    with n as (select *, address = any(${different}::inet[]) as is_changed
      from json_populate_recordset(null::ip_enrichment, ${rows}::json)),
    locked as (
      select e.address, ${latestLookups({ facts: 'n', hasBegunToFail, wasDormant })}
      from ip_enrichment e join n using (address) order by e.address for update of e
    )
    update ip_enrichment e set priority = n.priority, planned = false, in_line = false,
      due_at = least(n.due_at, ptr_by, lists_by, abuse_by),
      ptr_state = n.ptr_state, hostname = n.hostname, ptr_at = n.ptr_at, ptr_tries = n.ptr_tries,
      country_code = n.country_code, country = n.country, city = n.city, latitude = n.latitude, longitude = n.longitude,
      asn = n.asn, isp = n.isp, geo_build = n.geo_build, abuse_score = n.abuse_score, abuse_reports = n.abuse_reports,
      abuse_categories = n.abuse_categories, usage_type = n.usage_type, is_tor = n.is_tor,
      abuse_last_reported = n.abuse_last_reported, abuse_source = n.abuse_source, abuse_at = n.abuse_at,
      abuse_tries = n.abuse_tries, list_scope = n.list_scope, verdict = n.verdict,
      lists_at = n.lists_at, lists_tries = n.lists_tries, ptr_due_at = least(n.ptr_due_at, ptr_by),
      lists_due_at = least(n.lists_due_at, lists_by), abuse_due_at = least(n.abuse_due_at, abuse_by),
      enriched_at = n.enriched_at, updated_at = n.updated_at,
      version = e.version + case when is_changed or e.version <> n.version then 1 else 0 end
    from n join locked using (address) where e.address = n.address
    returning e.address, e.version, n.version as built_on`.execute(db);
  await saveResults(session, found);
  const changed = saved.filter(({ version, built_on }) => version !== built_on).map(({ address }) => address);
  if (changed.length === 0) return;
  const { rows: interested } = await sql<{ org_id: string; addresses: string[] }>`
    select org_id, array_agg(host(address) order by address) as addresses from ip_interest
    where address = any(${changed}::inet[]) group by org_id order by org_id`.execute(db);
  for (const { org_id, addresses } of interested) await announceJudgement(session, org_id, addresses);
}

/**
 * Postpones for a day the lookups of addresses whose facts could not be stored for a permanent reason, so that they do
 * not take the turns of others. Their stored facts stay.
 */
export async function putOffLookups({ db }: Pick<Database, 'db'>, addresses: readonly string[]): Promise<void> {
  await sql`
    update ip_enrichment set planned = false, in_line = false, priority = 2, due_at = now() + interval '1 day'
    where address = any(${addresses}::inet[])`.execute(db);
}

async function saveResults({ db }: Session, found: readonly FoundFacts[]): Promise<void> {
  const asked = found.flatMap(({ row: { address }, lists }) => (lists ? [{ address, lists }] : []));
  if (asked.length === 0) return;
  await db
    .deleteFrom('blocklist_result')
    .where('address', '=', sql<string>`any(${asked.map(({ address }) => address)}::inet[])`)
    .execute();
  const rows = asked.flatMap(({ address, lists }) =>
    lists.map(({ result, checkedAt }) => ({ address, list: result.list, result, checked_at: checkedAt })),
  );
  await sql`
    insert into blocklist_result select * from json_populate_recordset(null::blocklist_result,
      ${JSON.stringify(rows)}::json)
    on conflict (address, list) do update set result = excluded.result, checked_at = excluded.checked_at`.execute(db);
}
