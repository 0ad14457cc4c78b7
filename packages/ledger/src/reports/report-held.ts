import type { Db } from '@dmarc-ledger/schema';

/** True when a report of this identity is stored: what else comes under it is another copy. */
export async function isReportHeld(db: Db, orgId: string, identity: Buffer): Promise<boolean> {
  const held = await db
    .selectFrom('report')
    .select('id')
    .where('org_id', '=', orgId)
    .where('identity', '=', identity)
    .executeTakeFirst();
  return held !== undefined;
}
