import type { Db } from '@dmarc-ledger/schema';
import type { Day, DayRange } from '@dmarc-ledger/vocabulary';

const columns = ['day', 'reports', 'messages', 'compliant', 'forwarded'] as const;

/** Returns the days of a range, oldest first; days without reports are missing. (rules, scores/trends) */
export async function findOrgDays(db: Db, orgId: string, { from, to }: DayRange) {
  return await db
    .selectFrom('org_day')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();
}

export async function findDomainDays(db: Db, orgId: string, domainId: string, { from, to }: DayRange) {
  return await db
    .selectFrom('domain_day')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();
}

/** Returns the newest report day up to today. (rules, scores/trends) */
export async function findNewestReportDay(db: Db, orgId: string, today: Day): Promise<Day | undefined> {
  const row = await db
    .selectFrom('org_day')
    .select('day')
    .where('org_id', '=', orgId)
    .where('reports', '>', 0)
    .where('day', '<=', today)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.day;
}

/** Returns the UTC days of the earliest begin and of the latest end of all reports. */
export async function findDateRange(db: Db, orgId: string): Promise<{ earliest: Day | null; latest: Day | null }> {
  return await db
    .selectFrom('org_report_count_day')
    .select(({ fn }) => [
      fn.min<Day | null>('begin_day').filterWhere('begin_day', '>', '-infinity').as('earliest'),
      fn.max<Day | null>('end_day').filterWhere('end_day', '<', 'infinity').as('latest'),
    ])
    .where('org_id', '=', orgId)
    .where('reports', '>', 0)
    .executeTakeFirstOrThrow();
}
