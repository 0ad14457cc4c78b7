import type { Db } from '@dmarc-ledger/schema';

/** The addresses that a record must name to report to an organization. */
export async function findReportAddresses(db: Db, orgId: string): Promise<string[]> {
  const row = await db.selectFrom('organization').select('report_addresses').where('id', '=', orgId).executeTakeFirst();
  return row?.report_addresses ?? [];
}
