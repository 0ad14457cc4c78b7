import { isOwnSource, passingPairs } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The use of a DKIM key: a pair of signer and selector with an aligned pass. (rules, dkim-keys/which-keys) */
export interface KeyUse {
  domain: string;
  selector: string;
  firstDay: Day;
  lastDay: Day;
  /** Passing messages of the last 30 and 90 days. */
  messages30: number;
  messages90: number;
  /** Messages of own senders in the last 7 days that carry it and did not pass. */
  failingMessages: number;
}

interface OfDomain {
  orgId: string;
  domainId: string;
  today: Day;
}

/** Selectors without a pass are counted up to so many. */
export const OTHERS_COUNTED = 10_000;

/** Returns the keys of a domain, those on most messages of 90 days first, and how many there are. */
export async function findKeyUse(
  db: Db,
  { orgId, domainId, today }: OfDomain,
  limit: number,
): Promise<{ rows: KeyUse[]; total: number }> {
  const { rows } = await sql<KeyUse & { total: number }>`
    with recursive ${passingPairs(orgId, domainId)}, used as (
      select pair.signer, pair.selector, s.*, count(*) over () as total
      from pair cross join lateral (
        select min(day) as first_day, max(day) as last_day,
          coalesce(sum(messages) filter (where day > ${addDays(today, -30)}::date), 0)::bigint as messages_30,
          coalesce(sum(messages) filter (where day > ${addDays(today, -90)}::date), 0)::bigint as messages_90
        from dkim_pass p where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.signer = pair.signer
          and p.selector = pair.selector and p.day <= ${today}::date) s
      where s.last_day is not null
      order by messages_90 desc, last_day desc, signer, selector limit ${limit}
    ), failing as (
      select signer, selector, sum(messages)::bigint as messages from (
        select signer, selector, source_ip, sum(messages) as messages from dkim_failure
        where org_id = ${orgId} and domain_id = ${domainId} and day > ${addDays(today, -7)}::date
          and day <= ${today}::date
          and (signer, selector) in (select signer, selector from used)
        group by signer, selector, source_ip) f
      where ${isOwnSource(orgId, domainId, sql`f.source_ip`, today)}
      group by signer, selector
    )
    select u.signer as domain, u.selector, u.first_day::text as "firstDay", u.last_day::text as "lastDay",
      u.messages_30 as "messages30", u.messages_90 as "messages90", coalesce(f.messages, 0) as "failingMessages",
        u.total
    from used u left join failing f using (signer, selector)
    order by u.messages_90 desc, u.last_day desc, u.signer, u.selector`.execute(db);
  return { rows: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/**
 * Counts the selectors that reports of 90 days name and that never passed, as anybody can write them; at most
 * `OTHERS_COUNTED`.
 */
export async function countOtherSelectors(db: Db, { orgId, domainId, today }: OfDomain): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(*) as others from (
      select signer, selector, last_day from dkim_selector
      where org_id = ${orgId} and domain_id = ${domainId} limit ${OTHERS_COUNTED}) s
    where s.last_day > ${addDays(today, -90)}::date and not exists (
      select from dkim_pass p where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.signer = s.signer
        and p.selector = s.selector)`.execute(db);
  return rows[0]?.others ?? 0;
}
