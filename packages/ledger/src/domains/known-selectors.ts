import { isOwnSource, passingPairs } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';

/** Days within which a selector was seen. */
const DAYS = 90;
/** Messages of one own source that carry a selector which never passes. */
const CARRIED = 20;

/** A selector that is known for a domain. (rules, domain-checks/known-selectors) */
export interface KnownSelector {
  domain: string;
  selector: string;
  /** Messages of the last 90 days with an aligned pass; for a selector that never passes, those that carry it. */
  messages: number;
  /** The first day, and the last one, of a pass; or of mail that carries it. */
  firstDay: Day;
  lastDay: Day;
}

/**
 * Returns the known selectors of a domain, those with most passing messages first: with an aligned DKIM pass in the
 * last 90 days, or carried by 20 messages of an own source, as by a service whose key was never published.
 */
export async function findKnownSelectors(
  db: Db,
  orgId: string,
  domainId: string,
  { today, limit }: { today: Day; limit: number },
): Promise<KnownSelector[]> {
  const from = addDays(today, -DAYS);
  const { rows } = await sql<KnownSelector>`
    with recursive ${passingPairs(orgId, domainId)}, passed as (
      select pair.signer, pair.selector, s.messages, s.last_day,
        (select min(day) from dkim_pass p where p.org_id = ${orgId} and p.domain_id = ${domainId}
          and p.signer = pair.signer and p.selector = pair.selector) as first_day
      from pair cross join lateral (
        select sum(messages)::bigint as messages, max(day) as last_day from dkim_pass p
        where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.signer = pair.signer
          and p.selector = pair.selector
          and p.day >= ${from}::date and p.day <= ${today}::date) s
      where s.last_day is not null
    ), carried as (
      select signer, selector, sum(messages)::bigint as messages, max(last_day) as last_day,
        min(first_day) as first_day from (
        select signer, selector, source_ip, sum(messages) as messages, max(day) as last_day, min(day) as first_day
        from dkim_failure where org_id = ${orgId} and domain_id = ${domainId} and day between ${from}::date
          and ${today}::date
        group by signer, selector, source_ip having sum(messages) >= ${CARRIED}) f
      where ${isOwnSource(orgId, domainId, sql`f.source_ip`, today)}
        and not exists (select from passed where passed.signer = f.signer and passed.selector = f.selector)
      group by signer, selector
    )
    select signer as domain, selector, messages, first_day::text as "firstDay", last_day::text as "lastDay" from (
      select *, 0 as place from passed union all select signer, selector, messages, last_day, first_day, 1
        from carried) k
    order by place, messages desc, signer, selector limit ${limit}`.execute(db);
  return rows;
}

/** Returns how many messages of the last 7 days, passing ones and own ones, carry each `signer/selector`. */
export async function findSigned(db: Db, orgId: string, domainId: string, today: Day): Promise<Map<string, number>> {
  const after = addDays(today, -7);
  const { rows } = await sql<{ pair: string; messages: number }>`
    with recursive ${passingPairs(orgId, domainId)}
    select signer || '/' || selector as pair, sum(messages)::bigint as messages from (
      select pair.signer, pair.selector, s.messages from pair cross join lateral (
        select sum(messages) as messages from dkim_pass p
        where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.signer = pair.signer
          and p.selector = pair.selector
          and p.day > ${after}::date and p.day <= ${today}::date) s
      where s.messages > 0
      union all
      select signer, selector, messages from (
        select signer, selector, source_ip, sum(messages) as messages from dkim_failure
        where org_id = ${orgId} and domain_id = ${domainId} and day > ${after}::date and day <= ${today}::date
        group by signer, selector, source_ip) f
      where ${isOwnSource(orgId, domainId, sql`f.source_ip`, today)}) s
    group by signer, selector`.execute(db);
  return new Map(rows.map(({ pair, messages }) => [pair, messages]));
}

/** Signatures of reports that are recorded together. */
interface Batch {
  reportIds: readonly string[];
  /** JSON: `domain_id`, `signer`, `selector`. */
  passes: string;
  /** JSON: the same with `address`. */
  failures: string;
}

/** Returns the domains that have a selector which became known by these reports. */
export async function findNewlyKnown(db: Db, orgId: string, { reportIds, passes, failures }: Batch): Promise<string[]> {
  const today = sql`(ledger_now() at time zone 'utc')::date`;
  const from = sql`(${today} - ${DAYS}::integer)`;
  // ORDER BY and LIMIT or OFFSET find the rows of each key by the index: a join would read all signatures of 90 days.
  const passed = (others: RawBuilder<unknown>) => sql`(
      select true from dkim_pass p where p.org_id = ${orgId} and p.domain_id = k.domain_id and p.signer = k.signer
        and p.selector = k.selector and p.day >= ${from} and p.day <= ${today} ${others} order by p.day desc limit 1)`;
  const carried = (others: RawBuilder<unknown>) => sql`(
      select coalesce(sum(f.messages), 0) from dkim_failure f where f.org_id = ${orgId} and f.domain_id = k.domain_id
        and f.day between ${from} and ${today} and f.source_ip = k.address and f.signer = k.signer
        and f.selector = k.selector ${others})`;
  const before = sql`and report_id <> all(${reportIds}::uuid[])`;
  const { rows } = await sql<{ domain_id: string }>`
    select domain_id from (
      select distinct domain_id, signer, selector
      from json_to_recordset(${passes}::json) as n (domain_id uuid, signer text, selector text, day date)
      where selector <> '' and day between ${from} and ${today}) k
    where ${passed(before)} is null
    union
    select domain_id from (
      select k.*, coalesce(${passed(sql``)}, false) as has_passed from (
        select distinct domain_id, signer, selector, address
        from json_to_recordset(${failures}::json) as n (domain_id uuid, signer text, selector text, address inet)) k
      offset 0) k
    where not has_passed and exists (
        select from source_domain_day o where o.org_id = ${orgId} and o.source_ip = k.address and o.day >= ${from}
          and o.day < ${today} and o.domain_id = k.domain_id and o.compliant > 0)
      and ${carried(sql``)} >= ${CARRIED} and ${carried(before)} < ${CARRIED}`.execute(db);
  return rows.map(({ domain_id }) => domain_id);
}
