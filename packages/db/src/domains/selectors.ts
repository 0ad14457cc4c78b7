import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Session } from '../transaction.ts';

/** A signature in reports about a domain, and how many messages it was on. */
export interface SeenSelector {
  domainId: string;
  signer: string;
  selector: string;
  messages: number;
  day: string;
}

/** Notes whose keys are to be looked up. Figures are about: they order the list, and are shown nowhere. */
export async function noteSelectors({ db }: Session, orgId: string, seen: readonly SeenSelector[]): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    insert into dkim_selector as s (org_id, domain_id, signer, selector, messages, last_day)
    select ${orgId}, "domainId", signer, selector, sum(messages), max(day)
    from json_to_recordset(${JSON.stringify(seen)}::json) as n ("domainId" uuid, signer text, selector text, messages bigint, day date)
    group by "domainId", signer, selector order by "domainId", signer, selector
    on conflict (org_id, domain_id, signer, selector) do update
      set messages = s.messages + excluded.messages, last_day = greatest(s.last_day, excluded.last_day)`.execute(db);
}

/** The selectors seen on this day or later, those on most messages first. */
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
