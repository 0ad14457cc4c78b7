import type { Db, MessagePart, MessageState } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { firstIdAt } from './first-id.ts';

/** The history of a delivery, as shown to its sender and to operators. */
export interface MessageDetails {
  id: string;
  state: MessageState;
  code: string | null;
  name: string | null;
  size: number;
  source: string;
  receivedAt: Date;
  finishedAt: Date | null;
  attemptsStarted: number;
  parts: MessagePart[];
  /** When its bytes were deleted by retention. */
  bytesPurgedAt: Date | null;
}

const columns = [
  'id',
  'state',
  'code',
  'name',
  'size',
  'source',
  'received_at',
  'finished_at',
  'attempts_started',
  'parts',
  'bytes_purged_at',
] as const;

export async function findMessage(db: Db, orgId: string, id: string): Promise<MessageDetails | undefined> {
  const row = await db
    .selectFrom('raw_message')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toDetails(row);
}

/** Lists deliveries, newest first, optionally of one state or with one code. */
export async function listMessages(
  db: Db,
  orgId: string,
  { state, code, limit }: { state?: MessageState; code?: string; limit: number },
): Promise<MessageDetails[]> {
  let query = db.selectFrom('raw_message').select(columns).where('org_id', '=', orgId);
  if (state) query = query.where('state', '=', state);
  if (code) query = query.where('code', '=', code);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toDetails);
}

/** Returns those of these deliveries that have ended. */
export async function findFinished(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<Pick<MessageDetails, 'id' | 'state' | 'name' | 'parts'>[]> {
  const rows = await db
    .selectFrom('raw_message')
    .select(['id', 'state', 'name', 'parts'])
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'not in', ['received', 'processing'])
    .execute();
  return rows.map(({ id, state, name, parts }) => ({ id, state, name, parts: parts ?? [] }));
}

/** Counts the deliveries of an organization since an instant; ids are ordered by time. */
export async function countReceivedSince(db: Db, orgId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('raw_message')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('id', '>=', firstIdAt(since))
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether an organization has ever sent a delivery. */
export async function hasReceived(db: Db, orgId: string): Promise<boolean> {
  return (
    (await db.selectFrom('raw_message').select('id').where('org_id', '=', orgId).limit(1).executeTakeFirst()) !==
    undefined
  );
}

/** Counts those of these contents that were received before. */
export async function countReceivedContents(db: Db, orgId: string, sha256s: readonly Buffer[]): Promise<number> {
  const row = await db
    .selectFrom('raw_message')
    .select((eb) => eb.fn.countAll<number>().as('received'))
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${sha256s}::bytea[])`)
    .executeTakeFirst();
  return row?.received ?? 0;
}

/** Counts an organization's unfinished work: deliveries to read, reports to judge, copies to settle, keys to repair. */
export async function countUnfinished(db: Db, orgId: string): Promise<number> {
  const { rows } = await sql<{ unfinished: number }>`
    select (select count(*) from raw_message where org_id = ${orgId} and state in ('received', 'processing')
      and held_until is null)
      + (select count(*) from unjudged_report where org_id = ${orgId})
      + (select count(*) from report_revision where org_id = ${orgId} and not settled)
      + (select count(*) from rollup_dirty where org_id = ${orgId})
      + (select count(*) from unjudged_signature where org_id = ${orgId})
      + (select count(*) from unjudged_source where org_id = ${orgId}) as unfinished`.execute(db);
  return rows[0]!.unfinished;
}

function toDetails(row: {
  id: string;
  state: MessageState;
  code: string | null;
  name: string | null;
  size: number;
  source: string;
  received_at: Date;
  finished_at: Date | null;
  attempts_started: number;
  parts: MessagePart[] | null;
  bytes_purged_at: Date | null;
}): MessageDetails {
  const { received_at, finished_at, attempts_started, bytes_purged_at, parts, ...rest } = row;
  return {
    ...rest,
    receivedAt: received_at,
    finishedAt: finished_at,
    attemptsStarted: attempts_started,
    parts: parts ?? [],
    bytesPurgedAt: bytes_purged_at,
  };
}
