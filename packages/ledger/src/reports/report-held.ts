import type { Db } from '@dmarc-ledger/schema';

/** True if a report of this identity is stored: a further document with the identity is another copy. */
export async function isReportHeld(db: Db, orgId: string, identity: Buffer): Promise<boolean> {
  const held = await db
    .selectFrom('report')
    .select('id')
    .where('org_id', '=', orgId)
    .where('identity', '=', identity)
    .executeTakeFirst();
  return held !== undefined;
}
