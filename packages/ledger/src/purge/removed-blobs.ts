import { type Database, type Db, type Session, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Blobs in one transaction: while they are deleted, deliveries whose hash falls to the same lock wait. */
const AT_ONCE = 20;
/** Longer than any time between storing bytes and entering their delivery. */
const REMEMBERED_DAYS = 7;
/** The error code that the trigger on `raw_message` raises. */
const BYTES_GONE = 'DL001';
/** The class of the locks of bytes, here and in migration 0016: 0 to 255. Claimants have the same class, from 256. */
const LOCKS = 7_346_002;

/** True if a delivery could not be entered because its bytes are being deleted; they must be stored again. */
export function areBytesGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === BYTES_GONE;
}

/**
 * Deletes bytes that no delivery of any organization references. Entering a delivery takes the same lock, shared, until
 * its commit. The deletion is committed before the store is called, so that after a crash here a later delivery still
 * sees it. Returns how many were deleted.
 */
export async function removeBlobs(database: Database, remove: (sha256: Buffer) => Promise<void>): Promise<number> {
  let removed = 0;
  for (const lock of await findLocks(database.db)) {
    await transact(database, (session) => condemn(session, lock));
    for (let count = AT_ONCE; count === AT_ONCE;) {
      count = await transact(database, (session) => removeSome(session, lock, remove));
      removed += count;
    }
  }
  await sql`delete from removed_blob where is_gone
    and removed_at < now() - make_interval(days => ${REMEMBERED_DAYS})`.execute(database.db);
  return removed;
}

async function findLocks(db: Db): Promise<number[]> {
  const { rows } = await sql<{ lock: number }>`
    select distinct blob_lock(sha256) as lock from removed_blob where not is_gone order by lock`.execute(db);
  return rows.map(({ lock }) => lock);
}

/** Marks unreferenced bytes as deleted and keeps referenced ones; the references are only reliable under the lock. */
async function condemn({ db }: Session, lock: number): Promise<void> {
  await hold(db, lock);
  await sql`
    delete from removed_blob b where blob_lock(sha256) = ${lock} and not is_gone and removed_at is null
      and exists (select from raw_message m where m.sha256 = b.sha256 and m.bytes_purged_at is null)`.execute(db);
  await sql`
    update removed_blob set removed_at = now()
    where blob_lock(sha256) = ${lock} and not is_gone and removed_at is null`.execute(db);
}

async function removeSome({ db }: Session, lock: number, remove: (sha256: Buffer) => Promise<void>): Promise<number> {
  await hold(db, lock);
  const { rows } = await sql<{ sha256: Buffer }>`
    select sha256 from removed_blob where blob_lock(sha256) = ${lock} and not is_gone and removed_at is not null
    order by sha256 limit ${AT_ONCE}`.execute(db);
  await Promise.all(rows.map(({ sha256 }) => remove(sha256)));
  await sql`
    update removed_blob set is_gone = true where sha256 = any(${rows.map(({ sha256 }) => sha256)}::bytea[])`.execute(
    db,
  );
  return rows.length;
}

/**
 * Cancels the deletion of bytes so that this transaction may enter their deliveries; they are not deleted until it
 * ends.
 */
export async function reclaimBytes(
  { db }: Session,
  sha256s: readonly Buffer[],
  putBack: (sha256: Buffer) => Promise<void>,
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock_shared(${LOCKS}::integer, lock)
    from (select distinct blob_lock(s) as lock from unnest(${sha256s}::bytea[]) s order by lock) l`.execute(db);
  const condemned = await db
    .deleteFrom('removed_blob')
    .where('sha256', '=', sql<Buffer>`any(${sha256s})`)
    .where('removed_at', 'is not', null)
    .returning('sha256')
    .execute();
  await Promise.all(condemned.map(({ sha256 }) => putBack(sha256)));
}

/** Releases bytes that have been in the store for long without a delivery, like those that a delivery released. */
export async function letStrayBytesGo(db: Db, sha256s: readonly Buffer[]): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('removed_blob')
    .columns(['sha256'])
    .expression(
      sql<{ sha256: Buffer }>`select s from unnest(${sha256s}::bytea[]) as s
        where not exists (select from raw_message m where m.sha256 = s and m.bytes_purged_at is null)`,
    )
    .onConflict((conflict) =>
      conflict
        .column('sha256')
        .doUpdateSet({ removed_at: null, is_gone: false })
        .where('removed_blob.is_gone', '=', true),
    )
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

async function hold(db: Db, lock: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCKS}::integer, ${lock}::integer)`.execute(db);
}
