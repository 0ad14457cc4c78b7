import type { Db } from '@dmarc-ledger/schema';

/** What orders many organizations, worst first, before the overview of each is computed; from what is stored. */
export interface Urgency {
  /** Open events of the severity critical that were not acknowledged. */
  critical: number;
  /** Of its newest snapshot, from 0 to 100; null before the first. */
  score: number | null;
}

export async function findUrgency(db: Db, orgId: string): Promise<Urgency> {
  const row = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('event')
        .select(({ fn }) => fn.countAll<number>().as('events'))
        .where('org_id', '=', orgId)
        .where('resolved_at', 'is', null)
        .where('acknowledged_at', 'is', null)
        .where('severity', '=', 'critical')
        .as('critical'),
      eb
        .selectFrom('score_snapshot')
        .select('score')
        .where('org_id', '=', orgId)
        .orderBy('day', 'desc')
        .limit(1)
        .as('score'),
    ])
    .executeTakeFirstOrThrow();
  return { critical: row.critical ?? 0, score: row.score };
}
