import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { announceAccessChange } from './announce.ts';

export interface PlanChange {
  code: string;
  /** Requests an hour; null: no quota. */
  hourlyQuota?: number | null;
  /** Whether keys of organizations on this plan may use the API. */
  api?: boolean;
}

export async function listPlans(db: Db) {
  return await db.selectFrom('plan').select(['code', 'hourly_quota', 'api']).orderBy('code').execute();
}

/** Creates the plan, or changes the given fields of it. */
export async function setPlan(database: Database, { code, hourlyQuota, api }: PlanChange) {
  return await transact(database, async ({ db }) => {
    await db
      .insertInto('plan')
      .values({ code })
      .onConflict((conflict) => conflict.column('code').doNothing())
      .execute();
    const changed = await db
      .updateTable('plan')
      .set({ code, hourly_quota: hourlyQuota, api })
      .where('code', '=', code)
      .returning(['code', 'hourly_quota', 'api'])
      .executeTakeFirstOrThrow();
    await announceAccessChange(db);
    return changed;
  });
}
