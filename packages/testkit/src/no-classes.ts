import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Takes its class from every failing record, and from all sums, as older versions stored reports. */
export async function takeClasses(db: Db): Promise<void> {
  await sql`update stored_record set class = null, proved = false`.execute(db);
  await sql`update org_day set forwarded = 0`.execute(db);
  await sql`update domain_day set forwarded = 0, proved = 0`.execute(db);
  await sql`update source_total set forwarded = 0, suspicious = 0, needs_review = 0`.execute(db);
  for (const table of ['source_domain', 'source_domain_day'])
    await sql`
      update ${sql.table(table)} set forwarded = 0, suspicious = 0, needs_review = 0, proved = 0`.execute(db);
}
