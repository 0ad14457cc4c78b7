import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Counts the targets and the digests that are sent by mail, of all organizations. */
export async function countMailReaders(db: Db): Promise<{ targets: number; digests: number }> {
  const { rows } = await sql<{ targets: number; digests: number }>`
    select (select count(*) from delivery_target where kind = 'email' and enabled and removed_at is null) as targets,
      (select count(*) from digest_subscription) as digests`.execute(db);
  return rows[0]!;
}
