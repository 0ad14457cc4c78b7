import type { Db } from '@dmarc-ledger/schema';

/** Where events are sent, without the secrets of webhooks. */
export async function findTargets(db: Db, orgId: string) {
  return await db
    .selectFrom('delivery_target')
    .select(['id', 'kind', 'address', 'types', 'least_severity', 'enabled', 'disabled_code'])
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

export type TargetRow = Awaited<ReturnType<typeof findTargets>>[number];

/** The newest notifications of an organization, with their outcome. */
export async function findNotificationLog(db: Db, orgId: string, limit: number) {
  return await db
    .selectFrom('event_delivery as d')
    .innerJoin('delivery_target as t', (join) =>
      join.onRef('t.org_id', '=', 'd.org_id').onRef('t.id', '=', 'd.target_id'),
    )
    .select([
      'd.id',
      'd.title',
      'd.state',
      'd.tries',
      'd.answer_status',
      'd.error_code',
      'd.planned_at',
      't.kind',
      't.address',
    ])
    .where('d.org_id', '=', orgId)
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
}

export type NotificationLogRow = Awaited<ReturnType<typeof findNotificationLog>>[number];
