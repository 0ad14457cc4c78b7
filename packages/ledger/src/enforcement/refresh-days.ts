import { mailFromRecords, staleDays, type MailOfDays } from '@dmarc-ledger/facts';
import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

export interface RefreshLimits {
  /** The most days that one call computes. */
  days: number;
  /** A day that was computed within this time waits: its reports arrive in groups. */
  quietMinutes: number;
}

/**
 * Stores what became of the mail of the days whose stored sums are missing or old, newest first, and deletes those
 * outside the range. Returns how many days were stored. A report that is counted meanwhile makes its day old again.
 */
export async function refreshEnforcementDays(
  { db }: Session,
  mail: MailOfDays,
  limits: RefreshLimits,
): Promise<number> {
  const { orgId, domainId, from, to } = mail;
  await sql`
    delete from enforcement_day e where e.org_id = ${orgId} and e.domain_id = ${domainId}
      and (e.day < ${from}::date or e.day > ${to}::date or not exists (
        select from domain_day d where d.org_id = e.org_id and d.domain_id = e.domain_id and d.day = e.day
          and d.reports > 0))`.execute(db);
  const { rows } = await sql<{ day: string }>`
    with stale as materialized (
      select s.day, s.revision from (${staleDays(mail)}) s
      where not exists (select from enforcement_day e where e.org_id = ${orgId} and e.domain_id = ${domainId}
        and e.day = s.day
        and e.computed_at > now() - make_interval(mins => ${limits.quietMinutes}::integer))
      order by s.day desc limit ${limits.days}
    ), read as (${mailFromRecords(mail, sql`stale`)})
    insert into enforcement_day as t (org_id, domain_id, day, revision, sources, names, fates, messages)
    select ${orgId}, ${domainId}, s.day, s.revision,
      coalesce(array_agg(r.source) filter (where r.fate is not null), '{}'),
      coalesce(array_agg(r.name) filter (where r.fate is not null), '{}'),
      coalesce(array_agg(r.fate) filter (where r.fate is not null), '{}'),
      coalesce(array_agg(r.messages) filter (where r.fate is not null), '{}')
    from stale s left join read r on r.day = s.day
    group by s.day, s.revision order by s.day
    on conflict (org_id, domain_id, day) do update set revision = excluded.revision, sources = excluded.sources,
      names = excluded.names, fates = excluded.fates, messages = excluded.messages, computed_at = now()
    returning day::text`.execute(db);
  return rows.length;
}
