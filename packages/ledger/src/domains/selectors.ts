import type { Db, Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Counts that are only compared are capped here: a replacing copy adds to them again. */
const MOST = sql.lit(Number.MAX_SAFE_INTEGER);

/** A report may be dated years ahead: what it names has been seen by now, and is no newer than what comes tomorrow. */
const SEEN_DAY = sql`least(day, (ledger_now() at time zone 'utc')::date)`;

/** A signature in reports about a domain, and how many messages it was on. */
export interface SeenSelector {
  domainId: string;
  signer: string;
  selector: string;
  messages: number;
  day: string;
}

/** A name below a domain that mail was sent from, on one day. */
export interface SeenSubdomain {
  domainId: string;
  name: string;
  messages: number;
  day: string;
}

/**
 * Stores the selectors that reports name, with whatever result: evidence for a person. Which of them are known is found
 * from the signatures of reports (`findKnownSelectors`). The counts are approximate.
 */
export async function noteSelectors({ db }: Session, orgId: string, seen: readonly SeenSelector[]): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    with noted as (
      select "domainId", signer, selector, messages, ${SEEN_DAY} as day from json_to_recordset(${JSON.stringify(seen)}::json)
        as n ("domainId" uuid, signer text, selector text, messages bigint, day date)
    )
    insert into dkim_selector as s (org_id, domain_id, signer, selector, messages, last_day, first_day)
    select ${orgId}, "domainId", signer, selector, least(sum(messages), ${MOST}), max(day), min(day) from noted
    group by "domainId", signer, selector order by "domainId", signer, selector
    on conflict (org_id, domain_id, signer, selector) do update
      set messages = least(s.messages + excluded.messages, ${MOST}), last_day = greatest(s.last_day, excluded.last_day),
        first_day = least(s.first_day, case when s.first_day is not null then excluded.first_day end)`.execute(db);
}

/** Stores subdomains that mail was sent from: when they were first seen, and their busiest recent day. */
export async function noteSubdomains({ db }: Session, orgId: string, seen: readonly SeenSubdomain[]): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    with noted as (
      select "domainId", name, day, least(sum(messages), ${MOST}) as messages,
        min(min(day)) over (partition by "domainId", name) as first_day,
        row_number() over (partition by "domainId", name order by day desc) as place
      from (
        select "domainId", name, messages, ${SEEN_DAY} as day from json_to_recordset(${JSON.stringify(seen)}::json)
          as n ("domainId" uuid, name text, messages bigint, day date)) n
      group by "domainId", name, day
    )
    insert into sending_subdomain as s (org_id, domain_id, name, first_day, day, messages)
    select ${orgId}, "domainId", name, first_day, day, messages from noted where place = 1 order by "domainId", name
    on conflict (org_id, domain_id, name) do update set first_day = least(s.first_day, excluded.first_day),
      day = greatest(s.day, excluded.day),
      messages = case when s.day = excluded.day then least(s.messages + excluded.messages, ${MOST})
        when s.day < excluded.day then excluded.messages else s.messages end`.execute(db);
}

/** Returns selectors that reports name and that are not known, seen on this day or later, on most messages first. */
export async function findUnknownSelectors(
  db: Db,
  orgId: string,
  domainId: string,
  { known, from, limit }: { known: readonly { domain: string; selector: string }[]; from: Day; limit: number },
): Promise<{ domain: string; selector: string; messages: number; lastDay: Day }[]> {
  const { rows } = await sql<{ domain: string; selector: string; messages: number; lastDay: Day }>`
    select signer as domain, selector, messages, last_day::text as "lastDay" from dkim_selector s
    where org_id = ${orgId} and domain_id = ${domainId} and last_day >= ${from}::date and not exists (
      select from json_to_recordset(${JSON.stringify(known)}::json) as k (domain text, selector text)
      where k.domain = s.signer and k.selector = s.selector)
    order by messages desc, signer, selector limit ${limit}`.execute(db);
  return rows;
}
