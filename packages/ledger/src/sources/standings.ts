import type { DkimResult, SpfResult } from '@dmarc-ledger/dmarc';
import type { AbuseStatusName, Db, Session } from '@dmarc-ledger/schema';
import type { IdentifiedSender, MailGroup } from '@dmarc-ledger/sources';
import { sql } from 'kysely';
import { isOnly } from '../keys/by-key.ts';

/** What an organization knows about an address. */
export interface Standing {
  address: string;
  /** Null: not recognised. Weak evidence is stored, but identifies no sender. */
  sender: IdentifiedSender | null;
  /** The service as displayed. */
  serviceSlug: string | null;
  abuseStatus: AbuseStatusName | null;
  factsVersion: number;
  /** True if the failing mail of the address is already judged by this standing. */
  settled: boolean;
}

const THIS_ADDRESS = sql.raw<boolean>(isOnly('source_ip', 'g.source_ip'));

const standingsIn = (rows: string) =>
  sql`select * from json_populate_recordset(null::source_standing, ${rows}::json) order by source_ip offset 0`;

/**
 * Stores the standings, updates the counts of reputations, and notes a change for answers that are kept. The totals of
 * the addresses are locked first, like storing and repairing do: an address that loses its last report meanwhile keeps
 * no standing.
 */
export async function saveStandings({ db }: Session, orgId: string, standings: readonly Standing[]): Promise<void> {
  if (standings.length === 0) return;
  const rows = JSON.stringify(
    standings.map(({ address, sender, serviceSlug, abuseStatus, factsVersion, settled }) => ({
      source_ip: address,
      service_slug: serviceSlug,
      service_strength: sender?.strength ?? null,
      sender,
      abuse_status: abuseStatus,
      facts_version: factsVersion,
      settled,
    })),
  );
  await sql`
    with n as (
      select g.* from (${standingsIn(rows)}) g cross join lateral (
        select from source_total where org_id = ${orgId} and ${THIS_ADDRESS} order by source_ip limit 1 for update) t
    ), old as (
      select s.abuse_status from n g cross join lateral (
        select abuse_status from source_standing where org_id = ${orgId} and ${THIS_ADDRESS}
        order by source_ip limit 1 for update) s
    ), saved as (
      insert into source_standing
      select ${orgId}, source_ip, service_slug, service_strength, sender, abuse_status, facts_version, settled
      from n order by source_ip
      on conflict (org_id, source_ip) do update set service_slug = excluded.service_slug,
        service_strength = excluded.service_strength, sender = excluded.sender, abuse_status = excluded.abuse_status,
        facts_version = excluded.facts_version, settled = excluded.settled
    ), deltas as (
      select abuse_status, sum(sources) as sources from (
        select abuse_status, 1 as sources from n union all select abuse_status, -1 from old) d
      where abuse_status is not null group by abuse_status having sum(sources) <> 0
    )
    insert into source_standing_count as c select ${orgId}, abuse_status, sources from deltas order by abuse_status
    on conflict (org_id, abuse_status) do update set sources = c.sources + excluded.sources`.execute(db);
  await sql`
    with other as (
      select g.source_ip, g.abuse_status, g.service_slug from (${standingsIn(rows)}) g cross join lateral (
        select from source_total where org_id = ${orgId} and ${THIS_ADDRESS}
          and (abuse_status, service_slug) is distinct from (g.abuse_status, g.service_slug)
        order by source_ip limit 1 for update) t
    ), moved as (
      insert into source_total (org_id, source_ip, domains, reports, messages, compliant, spf_pass, dkim_pass,
        auth_failures, compliance, abuse_status, service_slug)
      select ${orgId}, source_ip, 0, 0, 0, 0, 0, 0, 0, 0, abuse_status, service_slug from other
      on conflict (org_id, source_ip) do update set abuse_status = excluded.abuse_status,
        service_slug = excluded.service_slug returning 1
    )
    update org_total set changes = changes + 1 where org_id = ${orgId} and exists (select from moved)`.execute(db);
}

/** The newest records of an address that identify its sender; fewer when their passing names reach so many bytes. */
const SAMPLED = { records: 200, bytes: 128 * 1024 };

/** The passing identities of a record as `mailGroup` chooses them, before the empty ones are left out. */
const PASSING = {
  dkim: sql.raw(`jsonb_path_query_array(dkim_results, '$[*] ? (@.result == "pass").domain')`),
  spf: sql.raw(`jsonb_path_query_array(spf_results, '$[*] ? (@.result == "pass" && !(@.scope == "helo")).domain')`),
};

/**
 * Returns the passing identities in an organization's newest mail of each address. Only their names leave the database:
 * the results of a record may have hundreds of kilobytes, and there may be 200 records of each address.
 */
export async function findMailGroups(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, MailGroup[]>> {
  const newestFirst = sql`order by day desc, report_id desc`;
  const { rows } = await sql<{ address: string; messages: number; dkim: Names; spf: Names }>`
    select a.address, r.messages, r.dkim, r.spf from unnest(${addresses}::inet[]) as a (address)
      cross join lateral (
        select *, octet_length(concat(dkim, spf)) as own_bytes,
          sum(octet_length(concat(dkim, spf))) over (${newestFirst} rows unbounded preceding) as bytes
        from (
          select day, report_id, messages, ${PASSING.dkim} as dkim, ${PASSING.spf} as spf from report_record
          where org_id = ${orgId} and source_ip = a.address ${newestFirst} limit ${SAMPLED.records}) newest) r
    where r.bytes - r.own_bytes < ${SAMPLED.bytes}`.execute(db);
  return new Map(
    Map.groupBy(rows, ({ address }) => address)
      .entries()
      .map(([address, records]) => [address, records.map(groupOf)]),
  );
}

type Names = readonly (string | null)[] | null;

function groupOf({ messages, dkim, spf }: { messages: number; dkim: Names; spf: Names }): MailGroup {
  const named = (names: Names) => (names ?? []).flatMap((name) => (name ? [name] : []));
  return { messages, dkim: named(dkim), spf: named(spf) };
}

/** The passing identities in mail with these results. */
export function mailGroup(
  messages: number,
  { dkim, spf }: { dkim: readonly DkimResult[] | null; spf: readonly SpfResult[] | null },
): MailGroup {
  return {
    messages,
    dkim: (dkim ?? []).flatMap(({ result, domain }) => (result === 'pass' && domain ? [domain] : [])),
    spf: (spf ?? []).flatMap(({ result, scope, domain }) =>
      result === 'pass' && scope !== 'helo' && domain ? [domain] : [],
    ),
  };
}
