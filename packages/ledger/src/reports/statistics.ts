import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Tables that grow with every delivery, and whose statistics the planner needs to choose index lookups. */
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
 * Updates the statistics of tables that have changed by a third or more. Autovacuum does the same a minute later: until
 * then a fresh import is planned as if the tables were empty, and scans them. Cheap, and free when nothing has grown.
 */
export async function refreshStatistics(db: Db): Promise<void> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_stat_user_tables
    where schemaname = current_schema() and relname = any(${GROWING})
      and n_mod_since_analyze > ${CHANGED.rows} + ${CHANGED.share}::real * n_live_tup`.execute(db);
  for (const { relname } of rows) await sql`analyze ${sql.table(relname)}`.execute(db);
}
