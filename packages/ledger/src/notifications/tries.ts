import type { EventSeverity, NotificationKind } from '@dmarc-ledger/vocabulary';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { isNotSuspended } from './not-suspended.ts';

export interface NotificationKey {
  orgId: string;
  notificationId: string;
}

/** An event to send, its target, and the number of the attempt. */
export interface BegunTry extends NotificationKey {
  tries: number;
  orgName: string;
  targetId: string;
  kind: NotificationKind;
  address: string;
  secret: Buffer | null;
  /** True if the target is neither removed nor disabled. */
  isServed: boolean;
  event: {
    id: string;
    type: string;
    severity: EventSeverity;
    title: string;
    message: string;
    domain: string;
    link: string;
    createdAt: Date;
  };
}

/** The outcome of an attempt. */
export interface EndedTry {
  state: 'delivered' | 'failed' | 'given_up';
  status: number | null;
  code: string | null;
  /** The delay before the next attempt, if there is one. */
  retryAfterSeconds?: number;
}

/**
 * Begins an attempt at an announced notification and counts it. Returns undefined if the notification is not announced:
 * another process has begun or ended it, or its organization was suspended meanwhile. An attempt that has not ended
 * within the lease counts as lost, and the notification is announced again.
 */
export async function beginTry(
  db: Db,
  { orgId, notificationId }: NotificationKey,
  leaseSeconds: number,
): Promise<BegunTry | undefined> {
  const { rows } = await sql<Omit<BegunTry, keyof NotificationKey | 'event'> & BegunTry['event'] & { eventId: string }>`
    update event_delivery d
    set hand = 'begun', tries = tries + 1, tried_at = ledger_now(),
      due_at = ledger_now() + make_interval(secs => ${leaseSeconds})
    from event e, delivery_target t, organization o
    where d.org_id = ${orgId} and d.id = ${notificationId} and d.hand = 'announced' and d.state in ('waiting', 'failed')
      and e.org_id = d.org_id and e.id = d.event_id and t.org_id = d.org_id and t.id = d.target_id and o.id = d.org_id
      and ${isNotSuspended(sql`d.org_id`)}
    returning d.tries, o.name as "orgName", t.id as "targetId", t.kind, t.address, t.secret, t.enabled
      and t.removed_at is null as "isServed",
      e.id as "eventId", e.type, d.severity, d.title, d.message, e.domain, e.link, e.created_at as "createdAt"`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { eventId, type, severity, title, message, domain, link, createdAt, ...begun } = row;
  const event = { id: eventId, type, severity, title, message, domain, link, createdAt };
  return { orgId, notificationId, ...begun, event };
}

/** Lets an attempt go on for so long from now. Returns false if it was taken for lost meanwhile. */
export async function extendTry(db: Db, begun: BegunTry, leaseSeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('event_delivery')
    .set({ due_at: sql<Date>`ledger_now() + make_interval(secs => ${leaseSeconds})` })
    .where('org_id', '=', begun.orgId)
    .where('id', '=', begun.notificationId)
    .where('tries', '=', begun.tries)
    .where('hand', '=', 'begun')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the outcome of an attempt. Returns false, and stores nothing, if the attempt was taken for lost meanwhile. */
export async function endTry(
  db: Db,
  { orgId, notificationId, tries }: NotificationKey & { tries: number },
  { state, status, code, retryAfterSeconds = 0 }: EndedTry,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('event_delivery')
    .set({
      state,
      hand: null,
      answer_status: status,
      error_code: code,
      due_at: sql<Date>`ledger_now() + make_interval(secs => ${retryAfterSeconds})`,
      ...(state === 'delivered' && { delivered_at: sql<Date>`ledger_now()` }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', notificationId)
    .where('tries', '=', tries)
    .where('hand', '=', 'begun')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
