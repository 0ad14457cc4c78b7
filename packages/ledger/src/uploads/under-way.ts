import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { livingClaimants } from '../intake/claimant.ts';

/** An upload of an organization; its id is the caller's choice. */
export interface UploadKey {
  orgId: string;
  id: string;
}

/** What an organization uses of what it may upload. */
export interface UploadUse {
  /** Uploads under way, in all processes together. */
  underWay: number;
  /** Bytes that are set aside for these. */
  bytesUnderWay: number;
  /** Received by upload in this UTC day, sent again or not. */
  bytesToday: number;
  /** The same in deliveries, in this clock hour. */
  deliveriesThisHour: number;
}

/**
 * Sets bytes aside for an upload that begins. `refuse` sees what the organization uses without it, and throws what it is
 * refused with. The check and the entry are one transaction, in line with all others of the organization.
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

/** Sets aside so many bytes in all for an upload under way; refused like a new one when that is too much. */
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

/** Counts what an upload has brought, once, and sets nothing aside for it any more. */
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

/** The row of this hour, made when missing; whoever holds it decides alone until the transaction ends. */
async function lockHour(db: Db, orgId: string): Promise<void> {
  await sql`
    insert into upload_hour (org_id, hour) values (${orgId}, date_trunc('hour', now()))
    on conflict (org_id, hour) do update set bytes = upload_hour.bytes`.execute(db);
}

/** Without the upload that is asked about. */
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
