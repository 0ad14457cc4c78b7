import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../database.ts';
import type { AbuseStatusName } from '../tables/index.ts';
import type { Condition } from './sorted-list.ts';

/** Up to so many are gathered; of more, each source that a sorted walk meets is asked. */
const FEW_SOURCES = 5_000;

/** How many sources have a reputation, and which, when they are few. */
export async function findRated(
  db: Db,
  orgId: string,
  status: AbuseStatusName,
): Promise<{ sources: number; addresses: string[] | undefined }> {
  const held = await db
    .selectFrom('source_standing_count')
    .select('sources')
    .where('org_id', '=', orgId)
    .where('abuse_status', '=', status)
    .executeTakeFirst();
  const sources = held?.sources ?? 0;
  if (sources === 0 || sources > FEW_SOURCES) return { sources, addresses: undefined };
  const rows = await db
    .selectFrom('source_standing')
    .select('source_ip')
    .where('org_id', '=', orgId)
    .where('abuse_status', '=', status)
    .execute();
  return { sources, addresses: rows.map(({ source_ip }) => source_ip) };
}

/** A question about the standing `s` of one source. `limit` keeps it a look at one row. */
export function hasStanding(condition: RawBuilder<SqlBool>): Condition {
  return sql`coalesce((select ${condition} from source_standing s
    where s.org_id = list.org_id and s.source_ip = list.source_ip limit 1), false)`;
}
