import { type Db, inSnapshot } from '@dmarc-ledger/schema';

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

/** Returns one page of the notifications of an organization, newest first, with their outcome, and their number. */
export async function findNotificationPage(reads: Db, orgId: string, page: { limit: number; offset: number }) {
  return await inSnapshot(reads, async (db) => {
    const all = db.selectFrom('event_delivery as d').where('d.org_id', '=', orgId);
    const [{ total }, rows] = await Promise.all([
      all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      all
        .innerJoin('delivery_target as t', (join) =>
          join.onRef('t.org_id', '=', 'd.org_id').onRef('t.id', '=', 'd.target_id'),
        )
        .select(['d.id', 'd.title', 'd.state', 'd.tries', 'd.answer_status', 'd.error_code', 'd.planned_at'])
        .select(['t.kind', 't.address'])
        .orderBy('d.planned_at', 'desc')
        .orderBy('d.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute(),
    ]);
    return { rows, total };
  });
}

export type NotificationLogRow = Awaited<ReturnType<typeof findNotificationPage>>['rows'][number];
