import type { Db } from '@dmarc-ledger/schema';
import { present } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/**
 * A text that no other database has, not even one that was restored from a backup of this: server, database and
 * timeline. A promoted replica has another one too.
 */
export async function findDatabaseIdentity(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select concat_ws('.', s.system_identifier, d.oid, c.timeline_id) as identity
    from pg_control_system() s, pg_control_checkpoint() c, pg_database d
    where d.datname = current_database()`.execute(db);
  return present(rows[0]).identity;
}
