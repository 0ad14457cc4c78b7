import type { Db, MessagePart, MessageState } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { hasCode } from '../intake/has-code.ts';
import { isAbout } from '../intake/held-reports.ts';
import { claimedColumns, type ClaimedMessage, mailboxesOf, toClaimed } from '../intake/claimed-message.ts';

/** The deliveries to read again; a field that is absent does not restrict them. */
export interface ReplayScope {
  id?: string | undefined;
  /** One, or any of several. */
  code?: string | readonly string[];
  state?: MessageState;
  since?: Date;
  until?: Date;
  /** The domain that a held report is about. */
  about?: string | undefined;
}

/** An ended delivery, and its outcome. */
export interface EndedMessage {
  message: ClaimedMessage;
  state: MessageState;
  code: string | null;
  parts: MessagePart[];
  /** True if retention deleted its bytes, so it cannot be read. */
  isPurged: boolean;
}

const NOT_ENDED: MessageState[] = ['received', 'processing'];

/** Returns ended deliveries in the scope, by id, after the given one. */
export async function findEnded(
  db: Db,
  orgId: string,
  scope: ReplayScope,
  { after, limit }: { after: string | null; limit: number },
): Promise<EndedMessage[]> {
  let query = inScope(db, orgId, scope)
    .select(claimedColumns.map((column) => `m.${column}` as const))
    .select(['m.state', 'm.code', 'm.parts', 'm.bytes_purged_at', mailboxesOf.as('mailboxes')]);
  if (after !== null) query = query.where('m.id', '>', after);
  const rows = await query.orderBy('m.id').limit(limit).execute();
  return rows.map((row) => ({
    message: toClaimed(row),
    state: row.state,
    code: row.code,
    parts: row.parts ?? [],
    isPurged: row.bytes_purged_at !== null,
  }));
}

export async function countEnded(db: Db, orgId: string, scope: ReplayScope): Promise<number> {
  const { count } = await inScope(db, orgId, scope)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the outcomes of deliveries, and those that are held and have none yet. */
export async function findEndings(db: Db, orgId: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('raw_message')
    .select(['id', 'state', 'code', 'parts'])
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const { held = [], endings = [] } = Object.groupBy(rows, ({ state }) =>
    NOT_ENDED.includes(state) ? 'held' : 'endings',
  );
  return { endings, held: held.map(({ id }) => id) };
}

/** Counts those of these deliveries that have not ended, and are not held until the next day. */
export async function countOpen(db: Db, orgId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from raw_message
    where org_id = ${orgId} and id = any(${ids}::uuid[]) and state in ('received', 'processing')
      and held_until is null`.execute(db);
  return rows[0]!.count;
}

/** The same for the copies of deliveries in other organizations. */
export async function countCopiesOpen(db: Db, orgId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from raw_message m cross join unnest(m.assigned_to) as target (org_id)
      join raw_message c on c.org_id = target.org_id and c.sha256 = m.sha256
    where m.org_id = ${orgId} and m.id = any(${ids}::uuid[]) and c.state in ('received', 'processing')
      and c.held_until is null`.execute(db);
  return rows[0]!.count;
}

/** Only the header of a mail that was too large is stored, so it cannot be read again. */
function inScope(db: Db, orgId: string, { id, code, state, since, until, about }: ReplayScope) {
  let query = db
    .selectFrom('raw_message as m')
    .where('m.org_id', '=', orgId)
    .where('m.header_only', '=', false)
    .where('m.state', 'not in', NOT_ENDED);
  if (id !== undefined) query = query.where('m.id', '=', id);
  if (code !== undefined) query = query.where(hasCode(typeof code === 'string' ? [code] : code));
  if (state !== undefined) query = query.where('m.state', '=', state);
  if (since !== undefined) query = query.where('m.received_at', '>=', since);
  if (about !== undefined) query = query.where(isAbout(about));
  if (until !== undefined) query = query.where('m.received_at', '<', until);
  return query;
}
