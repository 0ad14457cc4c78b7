import { isOfDomain } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import type { DayFigures, OwnDays } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { doubtedBySource, type JudgedMail } from './doubted-reports.ts';

/** A source is own to a domain for so many days after its last compliant message. (rules, events/own-mail) */
const OWN_DAYS = 90;

/**
 * Returns, by the judged day, the sums over the mail of the sources that are own to a domain on it: those with a
 * compliant message in the 90 days before. A source that never passed is not, which leaves out most forged mail before
 * anything is summed. Of the others, one that sent lately is found among the mail itself; only the rest are looked up,
 * one step in the index each. Mail is not joined with itself: a join of so many days and sources takes their product
 * when the planner expects few rows.
 */
export async function findOwnFigures(
  db: Db,
  mail: JudgedMail,
  asked: readonly OwnDays[],
): Promise<Map<Day, DayFigures[]>> {
  if (asked.length === 0) return new Map();
  const { orgId, domainId } = mail;
  const { rows } = await sql<DayFigures & { judged: Day }>`
    with ${doubtedBySource(mail)}, asked as materialized (
      select * from json_to_recordset(${JSON.stringify(asked)}::json) as a (judged date, first date)
    ), passing as materialized (
      select source_ip from source_domain where org_id = ${orgId} and domain_id = ${domainId} and compliant > 0
    ), mail as materialized (
      select d.source_ip, d.day, d.messages - coalesce(x.messages, 0) as messages,
        d.compliant - coalesce(x.compliant, 0) as compliant, d.proved - coalesce(x.proved, 0) as proved,
        d.spf_pass - coalesce(x.spf_pass, 0) as spf_pass, d.dkim_pass - coalesce(x.dkim_pass, 0) as dkim_pass
      from source_domain_day d left join doubted x on x.source_ip = d.source_ip and x.day = d.day
      where d.org_id = ${orgId} and d.domain_id = ${domainId}
        and (d.source_ip in (select source_ip from passing)) is true
        and d.day between (select min(first) from asked) and (select max(judged) from asked)
        and d.messages > coalesce(x.messages, 0)
    )
    select a.judged::text as judged, o.* from asked a
      cross join lateral (
        with sent as materialized (
          select *, bool_or(compliant > 0 and day < a.judged) over (partition by source_ip) as is_own
          from mail where day between a.first and a.judged
        )
        select day::text as day, sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
          sum(proved)::bigint as proved, sum(spf_pass)::bigint as "spfPass", sum(dkim_pass)::bigint as "dkimPass"
        from sent where is_own or (
          select true from source_domain_day p where p.org_id = ${orgId} and p.source_ip = sent.source_ip
            and p.day >= a.judged - ${OWN_DAYS}::integer and p.day < a.judged
            and ${isOfDomain(sql`p.domain_id`, domainId)}
            and p.compliant > coalesce((
              select compliant from doubted x where x.source_ip = p.source_ip and x.day = p.day), 0)
          order by p.day limit 1)
        group by day) o
    order by o.day`.execute(db);
  return new Map(Map.groupBy(rows, ({ judged }) => judged));
}
