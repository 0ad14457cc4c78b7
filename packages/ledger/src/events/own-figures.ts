import type { Db } from '@dmarc-ledger/schema';
import type { DayFigures, OwnDays } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A source is own to a domain for so many days after its last compliant message. (rules, events/own-mail) */
const OWN_DAYS = 90;

/**
 * Returns, by the judged day, the sums over the mail of the sources that are own to a domain on it: those with a
 * compliant message in the 90 days before. A source that sent lately is found among the mail itself; only the others
 * are looked up, one step in the index each.
 */
export async function findOwnFigures(
  db: Db,
  orgId: string,
  domainId: string,
  asked: readonly OwnDays[],
): Promise<Map<Day, DayFigures[]>> {
  if (asked.length === 0) return new Map();
  const { rows } = await sql<DayFigures & { judged: Day }>`
    select a.judged::text as judged, o.* from json_to_recordset(${JSON.stringify(asked)}::json) as a (judged date, first date)
      cross join lateral (
        with sent as materialized (
          select source_ip, day, messages, compliant, proved, spf_pass, dkim_pass from source_domain_day
          where org_id = ${orgId} and domain_id = ${domainId} and day between a.first and a.judged and messages > 0
        ), own as (
          select source_ip from sent group by source_ip
          having bool_or(compliant > 0 and day < a.judged) or exists (
            select from source_domain_day p where p.org_id = ${orgId} and p.source_ip = sent.source_ip
              and p.day >= a.judged - ${OWN_DAYS}::integer and p.day < a.judged and p.domain_id = ${domainId} and p.compliant > 0)
        )
        select day::text as day, sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
          sum(proved)::bigint as proved, sum(spf_pass)::bigint as "spfPass", sum(dkim_pass)::bigint as "dkimPass"
        from sent join own using (source_ip) group by day) o
    order by o.day`.execute(db);
  return new Map(Map.groupBy(rows, ({ judged }) => judged));
}
