import type { Db } from '@dmarc-ledger/schema';
import type { Day, DayRange } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The messages of a day, and of those that failed how many are of these classes. */
export interface ClassedDay {
  day: Day;
  messages: number;
  compliant: number;
  forwarded: number;
  suspicious: number;
}

/**
 * Returns the days of a range, oldest first, of one domain or of all; days without reports are missing. Suspicious
 * messages are in few sources of a day, which an index has. Days lose the mail of a report at once, and sources when
 * they are repaired: no more of it counts than what the day has left.
 */
export async function findClassedDays(
  db: Db,
  orgId: string,
  { from, to }: DayRange,
  domainId?: string,
): Promise<ClassedDay[]> {
  const ofDomain = domainId === undefined ? sql`` : sql`and domain_id = ${domainId}`;
  const { rows } = await sql<ClassedDay>`
    select d.day::text as day, d.messages, d.compliant, d.forwarded,
      least(coalesce(s.messages, 0), d.messages - d.compliant - d.forwarded) as suspicious
    from ${sql.table(domainId === undefined ? 'org_day' : 'domain_day')} d left join (
      select day, sum(suspicious)::bigint as messages from source_domain_day
      where org_id = ${orgId} and day between ${from}::date and ${to}::date and suspicious > 0 ${ofDomain} group by day
    ) s on s.day = d.day
    where d.org_id = ${orgId} and d.day between ${from}::date and ${to}::date ${ofDomain} order by d.day`.execute(db);
  return rows;
}
