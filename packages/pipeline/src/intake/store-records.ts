import { addCopies, storeStreamed, transact, type Database, type ReportCopy, type Stored } from '@dmarc-ledger/db';
import type { ReportRecord } from '@dmarc-ledger/dmarc';
import { WorkSlices } from '@dmarc-ledger/vocabulary';

const A_BATCH = 1_000;

/** Undoes a transaction whose report turned out to be held already. */
export class AlreadyHeld extends Error {}

/** Stores a report of many records, batch by batch, in a transaction of its own. Run again, it finds what is stored. */
export async function storeRecords(
  { database }: { database: Database },
  orgId: string,
  copy: ReportCopy,
  records: readonly ReportRecord[],
): Promise<Stored> {
  try {
    return await transact(
      database,
      async (session) => {
        const outcome = await storeStreamed(session, orgId, copy, batchesOf(records), () => copy);
        if (outcome === 'known') throw new AlreadyHeld();
        return { outcome: 'stored', reportId: copy.id };
      },
      { unlimited: true },
    );
  } catch (error) {
    if (!(error instanceof AlreadyHeld)) throw error;
    return await addCopy(database, orgId, copy);
  }
}

/** Notes a copy of a report that is held. */
export async function addCopy(database: Database, orgId: string, copy: ReportCopy): Promise<Stored> {
  const answers = await transact(database, (session) => addCopies(session, orgId, [copy]));
  const answer = answers.get(copy);
  if (!answer) throw new Error('A copy is answered for.');
  return answer;
}

async function* batchesOf(records: readonly ReportRecord[]): AsyncGenerator<readonly ReportRecord[]> {
  const work = new WorkSlices();
  for (let at = 0; at < records.length; at += A_BATCH) {
    yield records.slice(at, at + A_BATCH);
    await work.pause();
  }
}
