import { type Database, type Db, type DeliveryTargetTable, type Session, transact } from '@dmarc-ledger/schema';
import { type Selectable, sql } from 'kysely';
import type { NotificationKey } from './tries.ts';

export interface TargetKey {
  orgId: string;
  targetId: string;
}

export type Target = Selectable<DeliveryTargetTable>;

/** A process of an older version that adds a target again makes it younger instead. */
const ADDED_AT = sql<Date>`greatest(created_at, added_again_at)`;

/** Removes a target, with its pending notifications and its secret. Its log stays. Returns false if there is none. */
export async function removeTarget(database: Database, key: TargetKey): Promise<boolean> {
  return await transact(database, async (session) => {
    const { numUpdatedRows } = await session.db
      .updateTable('delivery_target')
      .set({ removed_at: sql<Date>`now()`, secret: null })
      .where('org_id', '=', key.orgId)
      .where('id', '=', key.targetId)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    await giveUpOpen(session, key, 'target_removed');
    return numUpdatedRows > 0n;
  });
}

/** Whether the target of a notification was added again after the last try of this notification began. */
export async function wasAddedAgain(db: Db, { orgId, targetId, notificationId }: TargetKey & NotificationKey) {
  const row = await db
    .selectFrom('delivery_target')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', targetId)
    .where('removed_at', 'is', null)
    .where(ADDED_AT, '>', triedAt(db, { orgId, notificationId }))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Disables the target of a notification until it is added again, and gives up its pending notifications: unless it was
 * added again after the last try of this notification began, as the answer then says nothing of the target as it is.
 */
export async function disableTarget(
  database: Database,
  { orgId, targetId, notificationId }: TargetKey & NotificationKey,
  code: string,
): Promise<void> {
  await transact(database, async (session) => {
    const { numUpdatedRows } = await session.db
      .updateTable('delivery_target')
      .set({ enabled: false, disabled_code: code })
      .where('org_id', '=', orgId)
      .where('id', '=', targetId)
      .where(ADDED_AT, '<=', triedAt(session.db, { orgId, notificationId }))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await giveUpOpen(session, { orgId, targetId }, 'target_disabled');
  });
}

function triedAt(db: Db, { orgId, notificationId }: NotificationKey) {
  return db
    .selectFrom('event_delivery')
    .select('tried_at')
    .where('org_id', '=', orgId)
    .where('id', '=', notificationId);
}

async function giveUpOpen({ db }: Session, { orgId, targetId }: TargetKey, code: string): Promise<void> {
  await db
    .updateTable('event_delivery')
    .set({ state: 'given_up', hand: null, error_code: code })
    .where('org_id', '=', orgId)
    .where('target_id', '=', targetId)
    .where('state', 'in', ['waiting', 'failed'])
    .execute();
}

/** Lists the targets of an organization, or of all, in the order in which they were added. */
export async function listTargets(db: Db, orgId?: string): Promise<Target[]> {
  let query = db.selectFrom('delivery_target').selectAll().where('removed_at', 'is', null);
  if (orgId !== undefined) query = query.where('org_id', '=', orgId);
  return await query.orderBy('org_id').orderBy('id').execute();
}

/** Finds a target by its id alone: ids are unique, and the operator may know no more. */
export async function findTarget(db: Db, targetId: string): Promise<Target | undefined> {
  return await db.selectFrom('delivery_target').selectAll().where('id', '=', targetId).executeTakeFirst();
}
