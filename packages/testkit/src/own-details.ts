import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Gives every record a detail of its own, as older versions stored them. */
export async function giveOwnDetails(db: Db): Promise<void> {
  await sql`
    update stored_record r set detail_id = null, disposition = d.disposition, header_from = d.header_from,
      envelope_from = d.envelope_from, reasons = d.reasons, dkim_results = d.dkim_results,
      spf_results = d.spf_results, dkim_aligned = d.dkim_aligned, spf_aligned = d.spf_aligned
    from record_detail d where d.org_id = r.org_id and d.id = r.detail_id`.execute(db);
}
