import { type Database, transact } from '@dmarc-ledger/schema';
import type { TargetKey } from './targets.ts';

/** Like `resealMailboxes`, for webhooks: `reseal` returns the new secret, or nothing to leave it. */
export async function resealTargets(
  database: Database,
  { after, limit }: { after: string | null; limit: number },
  reseal: (key: TargetKey, secret: Buffer) => Buffer | undefined,
): Promise<{ seen: number; resealed: number; last: string | null }> {
  return await transact(database, async ({ db }) => {
    let query = db
      .selectFrom('delivery_target')
      .select(['org_id', 'id', 'secret'])
      .where('removed_at', 'is', null)
      .where('secret', 'is not', null);
    if (after !== null) query = query.where('id', '>', after);
    const rows = await query.orderBy('id').limit(limit).forNoKeyUpdate().execute();
    let resealed = 0;
    for (const { org_id: orgId, id: targetId, secret } of rows) {
      const renewed = reseal({ orgId, targetId }, secret!); // only targets that have one
      if (!renewed) continue;
      resealed += 1;
      const target = db.updateTable('delivery_target').set({ secret: renewed });
      await target.where('org_id', '=', orgId).where('id', '=', targetId).execute();
    }
    return { seen: rows.length, resealed, last: rows.at(-1)?.id ?? null };
  });
}
