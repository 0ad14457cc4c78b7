import type { Db } from '@dmarc-ledger/schema';
import type { Snapshot } from '@dmarc-ledger/scoring';
import type { Day } from '@dmarc-ledger/vocabulary';

/** Returns the snapshots of a range of days, oldest first. */
export async function findSnapshots(db: Db, orgId: string, from: Day, to: Day): Promise<Omit<Snapshot, 'policy'>[]> {
  const rows = await db
    .selectFrom('score_snapshot')
    .select(['day', 'score', 'compliance', 'spf', 'dkim', 'messages'])
    .where('org_id', '=', orgId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();
  return rows.map(({ day, messages, score, compliance, spf, dkim }) => ({
    day,
    messages,
    score: score / 100,
    compliance: compliance / 100,
    spf: spf / 100,
    dkim: dkim / 100,
  }));
}
