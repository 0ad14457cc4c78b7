import type { Db } from '@dmarc-ledger/schema';

/** Returns the current plan of an organization. */
export async function findPlan(db: Db, orgId: string) {
  return await db
    .selectFrom('organization')
    .innerJoin('plan', 'plan.code', 'organization.plan')
    .select(['plan.code', 'plan.hourly_quota'])
    .where('organization.id', '=', orgId)
    .executeTakeFirst();
}
