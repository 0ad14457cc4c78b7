import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { EventTable } from '../tables/index.ts';

/** A condition that holds. Its key tells it from others of the organization. */
export interface Condition {
  orgId: string;
  key: string;
  type: string;
  severity: EventTable['severity'];
  domain: string;
  title: string;
  message: string;
  link: string;
}

/**
 * Raises an event for each of these conditions that has none open, and resolves the open ones under the prefix whose
 * condition no longer holds. Several may do so at once: a condition has one open event.
 */
export async function keepEvents(
  db: Db,
  prefix: string,
  conditions: readonly Condition[],
): Promise<{ raised: number; resolved: number }> {
  const { numUpdatedRows } = await db
    .updateTable('event')
    .set({ resolved_at: sql<Date>`now()` })
    .where('resolved_at', 'is', null)
    .where(sql<boolean>`starts_with(dedup_key, ${prefix})`)
    .where(
      sql<boolean>`not (org_id::text || '/' || dedup_key = any(${conditions.map(({ orgId, key }) => `${orgId}/${key}`)}::text[]))`,
    )
    .executeTakeFirst();
  if (conditions.length === 0) return { raised: 0, resolved: Number(numUpdatedRows) };
  const raised = await db
    .insertInto('event')
    .values(conditions.map(({ orgId, key, ...event }) => ({ org_id: orgId, id: newId(), dedup_key: key, ...event })))
    .onConflict((conflict) => conflict.columns(['org_id', 'dedup_key']).where('resolved_at', 'is', null).doNothing())
    .returning('id')
    .execute();
  return { raised: raised.length, resolved: Number(numUpdatedRows) };
}
