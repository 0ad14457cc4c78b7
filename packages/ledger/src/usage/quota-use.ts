import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

export interface QuotaUse {
  orgId: string;
  used: number;
  limit: number;
}

/**
 * Returns every organization with a quota that made requests in the hour of an instant, and how many; at most a few
 * seconds old while the API runs. The rule `quota_near_limit` uses it.
 */
export async function findQuotaUse(db: Db, at: Date): Promise<QuotaUse[]> {
  return await db
    .selectFrom('usage_hour')
    .innerJoin('organization', 'organization.id', 'usage_hour.org_id')
    .innerJoin('plan', 'plan.code', 'organization.plan')
    .select((eb) => [
      'usage_hour.org_id as orgId',
      eb.fn.sum<number>('usage_hour.requests').as('used'),
      eb.ref('plan.hourly_quota').$notNull().as('limit'),
    ])
    .where('usage_hour.hour', '=', sql<Date>`date_trunc('hour', ${at}::timestamptz)`)
    .where('plan.hourly_quota', 'is not', null)
    .groupBy(['usage_hour.org_id', 'plan.hourly_quota'])
    .orderBy('usage_hour.org_id')
    .execute();
}
