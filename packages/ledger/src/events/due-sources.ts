import { isOfDomain, type SourceSums } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import type { ListedSeverity } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import type { JudgedMail } from './doubted-reports.ts';
import { isFirstDoubted } from '../due-work/first-doubted.ts';
import type { WatchedDomain } from './hold-watch.ts';

/** Sources judged in one batch. */
const AT_ONCE = 500;

/** A source of a domain that is due, with its figures for that domain. */
export type DueSource = Omit<SourceSums, 'spf_pass' | 'dkim_pass' | 'last_seen'> & {
  ip: string;
  since: Date;
  listed_severity: ListedSeverity | null;
  listed_at: Date | null;
  proved: number;
  /** The day of the first report that mentions it. */
  first_day: Day | null;
  /** True if the report by which it was first seen may be forged. */
  is_first_doubted: boolean;
  /** Failing messages of 7 days, and all, without those whose forwarding is proved. */
  failing_of_late: number;
  messages_of_week: number;
  messages_of_late: number;
};

/** Takes the sources of a domain that are due, without the mail of reports that may be forged. */
export async function takeDueSources(
  db: Db,
  mail: JudgedMail,
  { id, today }: Pick<WatchedDomain, 'id' | 'today'>,
): Promise<DueSource[]> {
  const { orgId } = mail;
  const { rows: found } = await sql<DueSource>`
    with picked as (
      select * from event_source where org_id = ${orgId} and domain_id = ${id} and due_at <= ledger_now()
      order by due_at limit ${AT_ONCE} for update skip locked
    ), gone as (
      delete from event_source s using picked p
      where s.org_id = ${orgId} and s.domain_id = ${id} and s.source_ip = p.source_ip and not exists (
        select from source_domain d where d.org_id = ${orgId} and d.source_ip = p.source_ip and d.domain_id = ${id})
    )
    select host(p.source_ip) as ip, p.since, p.listed_severity, p.listed_at, d.messages, d.compliant, d.suspicious,
      d.needs_review, d.forwarded, d.proved, d.first_seen, (
        select min(day) from source_domain_day where org_id = ${orgId} and source_ip = p.source_ip
          and ${isOfDomain(sql`domain_id`, id)})::text as first_day,
      ${isFirstDoubted} as is_first_doubted, l.failing_of_late, l.messages_of_week, l.messages_of_late
    from picked p
      join source_domain d on d.org_id = ${orgId} and d.source_ip = p.source_ip and d.domain_id = ${id}
      cross join lateral (
        select coalesce(sum(messages - compliant - proved) filter (where day > ${today}::date - 7),
          0)::bigint as failing_of_late,
          coalesce(sum(messages - proved) filter (where day > ${today}::date - 7), 0)::bigint as messages_of_week,
          coalesce(sum(messages), 0)::bigint as messages_of_late
        from source_domain_day where org_id = ${orgId} and source_ip = p.source_ip
          and ${isOfDomain(sql`domain_id`, id)} and day > ${today}::date - 30 and day <= ${today}::date) l
    order by p.source_ip`.execute(db);
  return await withoutDoubted(db, mail, found, today);
}

type DoubtedSource = Pick<
  DueSource,
  | 'ip'
  | 'messages'
  | 'compliant'
  | 'suspicious'
  | 'needs_review'
  | 'forwarded'
  | 'proved'
  | 'failing_of_late'
  | 'messages_of_week'
  | 'messages_of_late'
>;

/** The sources with the figures of the reports that may not be forged: zeros for one that no such report names. */
async function withoutDoubted(
  db: Db,
  { orgId, doubted }: JudgedMail,
  found: readonly DueSource[],
  today: Day,
): Promise<DueSource[]> {
  if (doubted.length === 0 || found.length === 0) return [...found];
  const isOfWeek = sql`not r.proved and r.day > ${today}::date - 7`;
  const { rows } = await sql<DoubtedSource>`
    select host(r.source_ip) as ip, sum(r.messages)::bigint as messages,
      ${messagesOf(sql`r.dkim_pass or r.spf_pass`)} as compliant,
      ${messagesOf(sql`r.class = 'suspicious'`)} as suspicious,
        ${messagesOf(sql`r.class = 'needs_review'`)} as needs_review,
      ${messagesOf(sql`r.class = 'likely_forwarded'`)} as forwarded, ${messagesOf(sql`r.proved`)} as proved,
      ${messagesOf(sql`not r.dkim_pass and not r.spf_pass and ${isOfWeek}`)} as failing_of_late,
      ${messagesOf(isOfWeek)} as messages_of_week,
      ${messagesOf(sql`r.day > ${today}::date - 30`)} as messages_of_late
    from unnest(${doubted}::uuid[]) as k (id)
      cross join lateral (
        select * from stored_record where org_id = ${orgId} and report_id = k.id order by org_id, report_id,
          position offset 0) r
    where r.source_ip = any(${found.map(({ ip }) => ip)}::inet[]) group by r.source_ip`.execute(db);
  const doubtedOf = new Map(rows.map((row) => [row.ip, row]));
  return found.map((source) => {
    const less = doubtedOf.get(source.ip);
    if (!less) return source;
    return {
      ...source,
      messages: source.messages - less.messages,
      compliant: source.compliant - less.compliant,
      suspicious: source.suspicious - less.suspicious,
      needs_review: source.needs_review - less.needs_review,
      forwarded: source.forwarded - less.forwarded,
      proved: source.proved - less.proved,
      failing_of_late: source.failing_of_late - less.failing_of_late,
      messages_of_week: source.messages_of_week - less.messages_of_week,
      messages_of_late: source.messages_of_late - less.messages_of_late,
    };
  });
}

function messagesOf(condition: RawBuilder<unknown>) {
  return sql`coalesce(sum(r.messages) filter (where ${condition}), 0)::bigint`;
}
