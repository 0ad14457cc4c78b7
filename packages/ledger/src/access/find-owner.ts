import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * Returns the organization that owns the row with this id, for callers that know only the id. Ids are unique, but
 * primary keys begin with the organization: the statement looks the id up in the key of each organization instead of
 * scanning the table.
 */
export async function findOwner(
  db: Db,
  table: 'raw_message' | 'event' | 'api_key',
  id: string,
): Promise<string | undefined> {
  const owner = await db
    .selectFrom(table)
    .select('org_id')
    .where('org_id', '=', sql<string>`any(array(select id from organization))`)
    .where('id', '=', id)
    .executeTakeFirst();
  return owner?.org_id;
}
