import { senderKey } from '@dmarc-ledger/facts';
import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { isFirstDoubted } from './first-doubted.ts';
import { isOnly } from '../keys/by-key.ts';

/** A report about an older day does not show that reports still arrive. (rules, events/days-that-are-judged) */
const RECENT_DAYS = 3;

/** Changes wait this long for others, as reports arrive in batches. */
const SOON = sql`interval '5 seconds'`;

const AFTER_REPORTS = sql`interval '30 seconds'`;

const THIS_REPORT = sql.raw<boolean>(isOnly('id', 'k.id'));

/**
 * Sources, as `d` of `source_domain`, that may raise an event: suspicious ones, new ones with much mail, failing ones
 * of senders that were decided to be own ones, and legitimate ones that are or were listed. Most sources are none of
 * these and are skipped. The report by which a source was first seen may be forged.
 */
const isRemarkable = sql<boolean>`(
  d.suspicious > 0
  or (d.compliant >= 20 or d.messages - d.compliant >= 50) and (d.first_seen >= ledger_now() - interval '8 days'
    or ${isFirstDoubted})
  or d.messages - d.compliant >= 50 and exists (
    select from sender_decision s where s.org_id = d.org_id and s.domain_id = d.domain_id and s.decision = 'ours'
      and s.sender = ${senderKey(
        sql`(select t.service_slug from source_total t where t.org_id = d.org_id and t.source_ip = d.source_ip)`,
        sql`d.source_ip`,
      )})
  or d.compliant >= 50 and (
    (select (verdict ->> 'listed')::integer > 0 from ip_enrichment where address = d.source_ip)
    or exists (
      select from event_condition c join domain n on n.org_id = d.org_id and n.id = d.domain_id
      where c.org_id = d.org_id and c.holds and c.key = any(array[
        'source_blocklisted/' || n.name || '/' || host(d.source_ip) || '/critical',
        'source_blocklisted/' || n.name || '/' || host(d.source_ip) || '/warning']))))`;

/** Schedules the rules for these domains, in the transaction that changes the facts they read. */
export async function watchDomains(
  { db }: Pick<Session, 'db'>,
  orgId: string,
  domainIds: readonly string[],
): Promise<void> {
  if (domainIds.length === 0) return;
  await sql`
    insert into event_watch as w (org_id, domain_id, due_at)
    select d.org_id, d.id, ledger_now() + ${SOON} from domain d
    where d.org_id = ${orgId} and d.id = any(${domainIds}::uuid[]) order by d.id
    on conflict (org_id, domain_id) do update set due_at = least(w.due_at, excluded.due_at)`.execute(db);
}

/** Schedules the rules for domains whose reports have been judged, and for their remarkable sources. */
export async function watchReported(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  if (reportIds.length === 0) return;
  const { db } = session;
  await sql`
    insert into event_source as s (org_id, domain_id, source_ip, due_at, since)
    select distinct ${orgId}::uuid, r.domain_id, r.source_ip, ledger_now(), ledger_now()
    from unnest(${reportIds}::uuid[]) as k (id)
      cross join lateral (
        select id from report where org_id = ${orgId} and ${THIS_REPORT}
          and day >= (ledger_now() at time zone 'utc')::date - 7 order by id offset 0) p
      cross join lateral (
        select domain_id, source_ip from stored_record where org_id = ${orgId} and report_id = p.id
        order by org_id, report_id, position offset 0) r
      cross join lateral (
        select * from source_domain where org_id = ${orgId} and source_ip = r.source_ip and domain_id = r.domain_id
        order by org_id, source_ip, domain_id limit 1) d
    where ${isRemarkable}
    order by 2, 3
    on conflict (org_id, domain_id, source_ip) do update set due_at = least(s.due_at, excluded.due_at)`.execute(db);
  await sql`
    insert into event_watch as w (org_id, domain_id, due_at, reported_at)
    select ${orgId}, r.domain_id, ledger_now() + ${AFTER_REPORTS},
      case when max(r.day) >= (ledger_now() at time zone 'utc')::date - ${RECENT_DAYS}::integer then ledger_now() end
    from unnest(${reportIds}::uuid[]) as k (id)
      cross join lateral (
        select domain_id, day from report where org_id = ${orgId} and ${THIS_REPORT} order by id limit 1) r
    group by r.domain_id order by r.domain_id
    on conflict (org_id, domain_id) do update set due_at = least(w.due_at, excluded.due_at),
      reported_at = greatest(w.reported_at, excluded.reported_at)`.execute(db);
}

/** Schedules the rules for sources with changed facts, in every domain that they have sent for. */
export async function watchSources(session: Session, orgId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  const { rows } = await sql<{ domain_id: string }>`
    with touched as (
      insert into event_source as s (org_id, domain_id, source_ip, due_at, since)
      select org_id, domain_id, source_ip, ledger_now(), ledger_now() from source_domain d
      where org_id = ${orgId} and source_ip = any(${addresses}::inet[]) and ${isRemarkable} order by domain_id,
        source_ip
      on conflict (org_id, domain_id, source_ip) do update set due_at = least(s.due_at, excluded.due_at)
    )
    select distinct domain_id from source_domain where org_id = ${orgId}
      and source_ip = any(${addresses}::inet[])`.execute(session.db);
  await watchDomains(
    session,
    orgId,
    rows.map(({ domain_id }) => domain_id),
  );
}
