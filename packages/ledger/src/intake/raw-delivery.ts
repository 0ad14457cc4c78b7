import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Where the raw bytes of a delivery are. */
interface RawDelivery {
  sha256: Buffer;
  /** Set if retention has deleted them. */
  bytesPurgedAt: Date | null;
  /** The policy domains taken from it; null: it belongs to the organization as a whole. */
  onlyDomains: string[] | null;
}

export async function findRawDelivery(db: Db, orgId: string, id: string): Promise<RawDelivery | undefined> {
  return await db
    .selectFrom('raw_message')
    .select(['sha256', 'bytes_purged_at as bytesPurgedAt', 'only_domains as onlyDomains'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** True if a delivery of any organization still has its raw bytes. */
export async function refersToBytes(db: Db): Promise<boolean> {
  const { rows } = await sql`select from raw_message where bytes_purged_at is null limit 1`.execute(db);
  return rows.length > 0;
}
