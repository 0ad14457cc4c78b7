import type { Db, Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Days for which the number of signatures is kept. */
export const DAYS_KEPT = 30;

/** Counts that are only compared are capped here: a replacing copy adds to them again. */
const MOST = sql.lit(Number.MAX_SAFE_INTEGER);

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
 * Stores the selectors whose keys are to be looked up. The counts are approximate: they order the list, and are not
 * shown.
 */
export async function noteSelectors({ db }: Session, orgId: string, seen: readonly SeenSelector[]): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    with noted as (
      select * from json_to_recordset(${JSON.stringify(seen)}::json)
        as n ("domainId" uuid, signer text, selector text, messages bigint, day date)
    ), days as (
      insert into dkim_selector_day as s (org_id, domain_id, day, signer, selector, messages)
      select ${orgId}, "domainId", day, signer, selector, least(sum(messages), ${MOST}) from noted
      where day >= (ledger_now() at time zone 'utc')::date - ${DAYS_KEPT}::integer
      group by "domainId", day, signer, selector order by "domainId", day, signer, selector
      on conflict (org_id, domain_id, day, signer, selector) do update set messages = least(s.messages + excluded.messages, ${MOST})
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
      select "domainId", name, day, least(sum(messages), ${MOST}) as messages, min(min(day)) over (partition by "domainId", name) as first_day,
        row_number() over (partition by "domainId", name order by day desc) as place
      from json_to_recordset(${JSON.stringify(seen)}::json) as n ("domainId" uuid, name text, messages bigint, day date)
      group by "domainId", name, day
    )
    insert into sending_subdomain as s (org_id, domain_id, name, first_day, day, messages)
    select ${orgId}, "domainId", name, first_day, day, messages from noted where place = 1 order by "domainId", name
    on conflict (org_id, domain_id, name) do update set first_day = least(s.first_day, excluded.first_day),
      day = greatest(s.day, excluded.day),
      messages = case when s.day = excluded.day then least(s.messages + excluded.messages, ${MOST})
        when s.day < excluded.day then excluded.messages else s.messages end`.execute(db);
}

/** Returns the selectors seen on this day or later, those on most messages first. */
export async function findSelectors(
  db: Db,
  orgId: string,
  domainId: string,
  { from, limit }: { from: Day; limit: number },
): Promise<{ domain: string; selector: string }[]> {
  return await db
    .selectFrom('dkim_selector')
    .select(['signer as domain', 'selector'])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('last_day', '>=', from)
    .orderBy('messages', 'desc')
    .orderBy('signer')
    .orderBy('selector')
    .limit(limit)
    .execute();
}
