import { addCopies, type Kept, type ReportCopy, type Stored, storeStreamed, TOTAL_LIMIT } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import type { ReportRecord } from '@dmarc-ledger/dmarc';
import { CodedError, WorkSlices } from '@dmarc-ledger/vocabulary';
import { batchesWithFacts } from './facts-of-failing.ts';
import type { RecentReports } from '../records/recent-reports.ts';

const A_BATCH = 1_000;

/** Rolls back a transaction whose report is stored already, or does not fit into the totals. */
export class NotStored extends CodedError<'known' | 'refused'> {
  override readonly retryable = false;

  constructor(outcome: 'known' | 'refused') {
    super(outcome, `The report is not stored: ${outcome}.`);
  }
}

/**
 * Stores a report of many records, batch by batch, in a transaction of its own. Run again, it finds the stored report.
 */
export async function storeRecords(
  { database, recent }: { database: Database; recent?: RecentReports | undefined },
  orgId: string,
  copy: ReportCopy,
  records: readonly ReportRecord[],
): Promise<Stored> {
  for (;;) {
    try {
      const writing = recent?.write(copy);
      const stored = await transact(
        database,
        async (session): Promise<Stored> => {
          const outcome = await storeStreamed(session, orgId, copy, {
            ...batchesWithFacts(database.db, orgId, batchesOf(records)),
            complete: () => copy,
            writing,
          });
          if (outcome !== 'stored') throw new NotStored(outcome);
          return { outcome, reportId: copy.id };
        },
        { unlimited: true },
      );
      if (writing) recent?.keep(writing);
      return stored;
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
      const kept = await addCopy(database, orgId, copy);
      if (kept) return kept;
      if (error.code === 'refused') return { outcome: 'refused', ...TOTAL_LIMIT };
    } // otherwise it was deleted in between, and is new now
  }
}

/** Records a copy of a stored report; undefined when the report is gone. */
export async function addCopy(database: Database, orgId: string, copy: ReportCopy): Promise<Kept | undefined> {
  return (await transact(database, (session) => addCopies(session, orgId, [copy]))).get(copy);
}

async function* batchesOf(records: readonly ReportRecord[]): AsyncGenerator<readonly ReportRecord[]> {
  const work = new WorkSlices();
  for (let at = 0; at < records.length; at += A_BATCH) {
    yield records.slice(at, at + A_BATCH);
    await work.pause();
  }
}
