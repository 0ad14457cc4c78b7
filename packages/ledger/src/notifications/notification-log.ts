import type { Db } from '@dmarc-ledger/schema';
import type { TargetKey } from './targets.ts';

/** Returns the outcome of a target's newest notifications. */
export async function findNotifications(db: Db, { orgId, targetId }: TargetKey, limit: number) {
  return await db
    .selectFrom('event_delivery as d')
    .innerJoin('event as e', (join) => join.onRef('e.org_id', '=', 'd.org_id').onRef('e.id', '=', 'd.event_id'))
    .select(['d.id', 'd.event_id', 'e.type', 'd.title', 'd.state', 'd.tries', 'd.answer_status', 'd.error_code'])
    .select(['d.planned_at', 'd.tried_at', 'd.delivered_at', 'd.due_at'])
    .where('d.org_id', '=', orgId)
    .where('d.target_id', '=', targetId)
    .orderBy('d.planned_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
}

export type NotificationRow = Awaited<ReturnType<typeof findNotifications>>[number];
