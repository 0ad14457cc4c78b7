import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Tables that grow with every delivery, and whose keys the planner must know to find rows one by one. */
const GROWING = [
  'raw_message',
  'payload',
  'report',
  'report_revision',
  'report_record',
  'parse_warning',
  'unjudged_report',
  'source_domain_day',
  'source_domain',
  'source_total',
  'domain_day',
  'report_count_day',
];
const CHANGED = { rows: 200, share: 0.3 };

/**
 * Lets the planner see what has changed by a third or more since it looked. Autovacuum does the same, but a minute later:
 * until then a fresh import is planned as if the tables were empty, and walks what it could look up. Costs little, and
 * nothing when nothing has grown.
 */
export async function refreshStatistics(db: Db): Promise<void> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_stat_user_tables
    where schemaname = current_schema() and relname = any(${GROWING})
      and n_mod_since_analyze > ${CHANGED.rows} + ${CHANGED.share}::real * n_live_tup`.execute(db);
  for (const { relname } of rows) await sql`analyze ${sql.table(relname)}`.execute(db);
}
