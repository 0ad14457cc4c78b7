import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Until the transaction ends, no other goes past the same name: for rows that do not exist yet. */
export async function lockName(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}
