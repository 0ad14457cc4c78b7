import { recordsOf } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import type { ReportRecord } from '@dmarc-ledger/dmarc';

/** The stored records of a report, in order, in batches. */
export async function* storedRecords(db: Db, orgId: string, reportId: string): AsyncGenerator<ReportRecord[]> {
  for await (const page of recordsOf(db, orgId, [reportId], 'all')) yield page.map(({ record }) => record);
}
