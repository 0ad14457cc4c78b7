import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Tables that grow with every report, and that audits, repairs and purges join. */
const GROWING = [
  'raw_message',
  'payload',
  'report',
  'report_revision',
  'stored_record',
  'source_domain_day',
  'source_domain',
  'source_total',
  'source_standing',
  'ip_enrichment',
  'unjudged_source',
  'rollup_dirty',
];
/** As many rows as autovacuum waits for. */
const ENOUGH = 5_000;
/** A tenth of PostgreSQL's own: sizes are what matters first, and a sample of 3,000 rows takes a tenth of the time. */
const COARSE = 10;

/**
 * Takes the first statistics of tables that have grown since they were made: once for each table of a ledger. Audits,
 * repairs and purges join whole tables, and cannot wait a minute for autovacuum, which takes all further ones.
 */
export async function takeFirstStatistics(db: Db): Promise<void> {
  const { rows } = await sql<{ relname: string }>`
    select s.relname from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.relname = any(${GROWING}) and c.reltuples < 0
      and s.n_live_tup > ${ENOUGH}`.execute(db);
  for (const { relname } of rows) {
    await db.transaction().execute(async (one) => {
      await sql`set local default_statistics_target = ${sql.lit(COARSE)}`.execute(one);
      await sql`analyze ${sql.table(relname)}`.execute(one);
    });
  }
}
