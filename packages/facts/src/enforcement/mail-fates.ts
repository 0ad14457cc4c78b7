import type { MailGroup } from '@dmarc-ledger/enforcement';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';

/** A domain by its id and its name: values, or columns of a statement. */
interface NamedDomain {
  orgId: string;
  domainId: string | RawBuilder<unknown>;
  domain: string | RawBuilder<unknown>;
}

/** The mail of a policy domain on a range of days, both included. */
export interface MailOfDays {
  orgId: string;
  domainId: string;
  /** The name of the domain. */
  domain: string;
  from: Day;
  to: Day;
}

/** A From domain that can align with anything. (rules, alignment/domain-names) */
const IS_NAME = sql`r.header_from ~ '^[a-z0-9._-]+$' and length(r.header_from) <= 253
  and right(r.header_from, 1) <> '.' and r.header_from <> 'not.evaluated'`;
const passing = (extra: RawBuilder<unknown> = sql`'{}'::jsonb`) =>
  sql`jsonb_build_array(jsonb_build_object('result', 'pass', 'domain', r.header_from) || ${extra})`;

/**
 * What became of a record's messages: failing ones by disposition, passing ones by whether a signature, or the envelope
 * sender, that passed has exactly the From domain. (rules, enforcement/strict-alignment)
 */
const FATE = sql<MailGroup['fate']>`case
    when not (r.dkim_pass or r.spf_pass) then r.disposition
    when ${IS_NAME} and (r.dkim_results @> ${passing()}
      or r.spf_results @> ${passing()} and (r.envelope_from = '' or r.spf_results @> ${passing(sql`'{"scope": "mfrom"}'::jsonb`)}
        or r.spf_results @> ${passing(sql`'{"scope": null}'::jsonb`)})) then 'strict'
    else 'relaxed' end`;

/**
 * The mail of days by From domain (null: the domain itself), fate and address, from the records. `days` selects `day`.
 * The reports of a day are found by the ends of windows that contain it, as records have no index by domain. Details
 * are joined here, as the view looks up each by its key: these can be the records of months.
 */
export function mailFromRecords(
  { orgId, domainId, domain }: NamedDomain,
  days: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select w.day, case when f.fate in ('reject', 'strict') then null else r.source_ip end as source,
      nullif(r.header_from, ${domain}) as name, f.fate, sum(r.messages)::bigint as messages
    from (
      select distinct d.day, c.end_day from ${days} d join report_count_day c on c.org_id = ${orgId}
        and c.domain_id = ${domainId}
        and greatest(c.end_day, c.begin_day) >= d.day and least(c.end_day, c.begin_day) <= d.day and c.reports > 0
    ) w cross join lateral (
      select id from report p where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.day = w.day
        and w.end_day < 'infinity'
        and p.date_end >= w.end_day::timestamp at time zone 'utc'
          and p.date_end < (w.end_day + 1)::timestamp at time zone 'utc'
      union all
      select id from report p where p.org_id = ${orgId} and p.domain_id = ${domainId} and p.day = w.day
        and w.end_day = 'infinity'
        and p.date_end is null
    ) p join stored_record stored on stored.org_id = ${orgId} and stored.report_id = p.id
      left join record_detail detail on detail.org_id = ${orgId} and detail.id = stored.detail_id
      cross join lateral (
        select stored.source_ip, stored.messages, stored.dkim_pass, stored.spf_pass,
          coalesce(stored.disposition, detail.disposition) as disposition,
          coalesce(stored.header_from, detail.header_from) as header_from,
          coalesce(stored.envelope_from, detail.envelope_from) as envelope_from,
          coalesce(stored.dkim_results, detail.dkim_results) as dkim_results,
          coalesce(stored.spf_results, detail.spf_results) as spf_results) r
      cross join lateral (select ${FATE} as fate offset 0) f
    group by 1, 2, 3, 4`;
}

/** The days of a range whose stored mail is missing or old. */
export function staleDays({ orgId, domainId, from, to }: MailOfDays): RawBuilder<unknown> {
  return sql`
    select d.day, d.revision from domain_day d
    where d.org_id = ${orgId} and d.domain_id = ${domainId} and d.day between ${from}::date and ${to}::date
      and d.reports > 0
      and not exists (select from enforcement_day e where e.org_id = d.org_id and e.domain_id = d.domain_id
        and e.day = d.day
        and e.revision = d.revision)`;
}

/**
 * Returns the mail of days by fate. Days whose stored sums are current are read from these, others from the records, in
 * one statement: the figures are those of one moment. Names in `absent` are known not to exist.
 */
export async function findMailFates(db: Db, mail: MailOfDays, absent: readonly string[]): Promise<MailGroup[]> {
  const { orgId, domainId, from, to } = mail;
  const { rows } = await sql<MailGroup>`
    with stale as materialized (${staleDays(mail)}),
    mail as (
      select u.source, u.name, u.fate, u.messages
      from domain_day d join enforcement_day e on e.org_id = d.org_id and e.domain_id = d.domain_id and e.day = d.day
          and e.revision = d.revision
        cross join lateral unnest(e.sources, e.names, e.fates, e.messages) as u (source, name, fate, messages)
      where d.org_id = ${orgId} and d.domain_id = ${domainId} and d.day between ${from}::date and ${to}::date
        and d.reports > 0
      union all
      select source, name, fate, messages from (${mailFromRecords(mail, sql`stale`)}) read
    )
    select case when name is null then 'domain' when name = any(${absent}::text[]) then 'absent' else 'subdomain'
      end as scope, fate, source as address, sum(messages)::bigint as messages
    from mail group by 1, 2, 3`.execute(db);
  return rows;
}
