import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { findOrgTotal } from '../domains/totals.ts';

const WINDOW_DAYS = 30;

/**
 * Returns a number that changes whenever the overview may change; the same number on the same day means the same
 * overview. Undefined before the first report.
 */
export async function findChanges(db: Db, orgId: string): Promise<number | undefined> {
  const row = await db.selectFrom('org_total').select('changes').where('org_id', '=', orgId).executeTakeFirst();
  return row?.changes;
}

/**
 * Counts the addresses with a record in the windows of the domains. Addresses seen after the last window's begin are
 * counted by their newest day alone; only older ones, in windows that end earlier, and those that a report dates into
 * the future are searched day by day. (`offset 0` has each window read by its key: that nearly all of them are empty,
 * the planner cannot know.)
 */
export async function countWindowSources(db: Db, orgId: string, today: Day): Promise<number> {
  const { areSourcesIndexed } = await findOrgTotal(db, orgId);
  // in a long list, the days of sources with reports are in an index
  const [newestDay, isCounted] = areSourcesIndexed
    ? [sql.ref('sort_last_day'), sql`true`]
    : [sql.ref('last_day'), sql`reports > 0`];
  const { rows } = await sql<{ sources: number }>`
    with windows as materialized (
      select d.domain_id, n.day as last, n.day - ${WINDOW_DAYS}::integer as before
      from domain_total d cross join lateral (
        select day from domain_day x where x.org_id = d.org_id and x.domain_id = d.domain_id and x.day <= ${today}::date
          and x.reports > 0 order by day desc limit 1) n
      where d.org_id = ${orgId}
    ), newest as (select max(before) as before from windows)
    select (
      select count(*) from source_total, newest
      where org_id = ${orgId} and ${isCounted} and ${newestDay} > newest.before and ${newestDay} <= ${today}::date
    ) + (
      select count(*) from (
        select s.source_ip
        from newest
          join lateral (
            select domain_id, before, least(newest.before, last) as until from windows) w on w.before < w.until
          cross join lateral (
            select source_ip from source_domain_day s
            where s.org_id = ${orgId} and s.domain_id = w.domain_id and s.day > w.before and s.day <= w.until
              and s.reports > 0
            offset 0) s
          join source_total t on t.org_id = ${orgId} and t.source_ip = s.source_ip
        where t.last_day <= newest.before
        union
        select t.source_ip from source_total t
        where t.org_id = ${orgId} and ${isCounted} and ${newestDay} > ${today}::date and exists (
          select from source_domain_day s join windows w using (domain_id)
          where s.org_id = ${orgId} and s.source_ip = t.source_ip and s.day > w.before and s.day <= w.last
            and s.reports > 0)
      ) older
    ) as sources`.execute(db);
  return rows[0]!.sources;
}
