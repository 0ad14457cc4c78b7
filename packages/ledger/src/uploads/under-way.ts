import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { livingClaimants } from '../intake/claimant.ts';

/** An upload of an organization; the caller chooses its id. */
export interface UploadKey {
  orgId: string;
  id: string;
}

/** An organization's current use of its upload limits. */
export interface UploadUse {
  /** Uploads in progress, in all processes together. */
  underWay: number;
  /** Bytes reserved for these. */
  bytesUnderWay: number;
  /** Bytes uploaded in this UTC day, including repeated uploads. */
  bytesToday: number;
  /** Deliveries uploaded in this clock hour, including repeated ones. */
  deliveriesThisHour: number;
}

/**
 * Reserves bytes for an upload. `refuse` gets the organization's use without it, and throws to refuse the upload. The
 * check and the entry are one transaction, serialized with the organization's other uploads.
 */
export async function beginUpload(
  database: Database,
  { orgId, id }: UploadKey,
  { claimant, bytes }: { claimant: number; bytes: number },
  refuse: (use: UploadUse) => void,
): Promise<void> {
  await transact(database, async ({ db }) => {
    await lockHour(db, orgId);
    await sql`
      delete from upload_under_way where org_id = ${orgId} and claimed_by not in (${livingClaimants})`.execute(db);
    await sql`delete from upload_hour where org_id = ${orgId} and hour < now() - interval '2 days'`.execute(db);
    refuse(await findUse(db, orgId));
    await sql`
      insert into upload_under_way (org_id, id, claimed_by, bytes) values (${orgId}, ${id}, ${claimant}, ${bytes})
      on conflict (org_id, id) do nothing`.execute(db);
  });
}

/** Changes the total reserved for an upload in progress; refused like a new upload if that is too much. */
export async function enlargeUpload(
  database: Database,
  { orgId, id }: UploadKey,
  bytes: number,
  refuse: (use: UploadUse) => void,
): Promise<void> {
  await transact(database, async ({ db }) => {
    await lockHour(db, orgId);
    refuse(await findUse(db, orgId, id));
    await sql`update upload_under_way set bytes = ${bytes} where org_id = ${orgId} and id = ${id}`.execute(db);
  });
}

/** Counts what an upload has brought, once, and releases its reservation. */
export async function endUpload(
  database: Database,
  { orgId, id }: UploadKey,
  { bytes, deliveries }: { bytes: number; deliveries: number },
): Promise<void> {
  await transact(database, async ({ db }) => {
    await lockHour(db, orgId);
    await sql`
      with ended as (delete from upload_under_way where org_id = ${orgId} and id = ${id} returning org_id)
      update upload_hour u set bytes = u.bytes + ${bytes}, deliveries = u.deliveries + ${deliveries} from ended
      where u.org_id = ended.org_id and u.hour = date_trunc('hour', now())`.execute(db);
  });
}

/**
 * Locks the row of this hour, creating it if missing; until the transaction ends no other upload is decided. An
 * organization that has been removed meanwhile has no row.
 */
async function lockHour(db: Db, orgId: string): Promise<void> {
  await sql`
    insert into upload_hour (org_id, hour) select id, date_trunc('hour', now()) from organization where id = ${orgId}
    on conflict (org_id, hour) do update set bytes = upload_hour.bytes`.execute(db);
}

/** Without the given upload. */
async function findUse(db: Db, orgId: string, except: string | null = null): Promise<UploadUse> {
  const { rows } = await sql<UploadUse>`
    select
      (select count(*) from upload_under_way w where w.org_id = ${orgId} and w.id is distinct from ${except}::uuid)
        as "underWay",
      (select coalesce(sum(bytes), 0) from upload_under_way w
        where w.org_id = ${orgId} and w.id is distinct from ${except}::uuid) as "bytesUnderWay",
      (select coalesce(sum(bytes), 0) from upload_hour h
        where h.org_id = ${orgId} and h.hour >= date_trunc('day', now())) as "bytesToday",
      (select coalesce(sum(deliveries), 0) from upload_hour h
        where h.org_id = ${orgId} and h.hour = date_trunc('hour', now())) as "deliveriesThisHour"`.execute(db);
  const [use] = rows;
  if (!use) throw new Error('A select without from answers with one row.');
  return use;
}
