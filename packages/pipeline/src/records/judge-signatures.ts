import {
  classifyAgain,
  findReportsToClassify,
  findUnjudgedSignatures,
  finishSignatures,
  type ReportPlace,
  type SignedPage,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { throwIfEnding } from '../interruption.ts';

/**
 * Has the failing records classified again that carry a selector which has begun, or ceased, to be evidence. Announces
 * the reports in groups, each in its own transaction; running it again is safe.
 *
 * @throws {QueueError} `job_interrupted` when the worker ends before the last group.
 */
export async function judgeSignatures(
  { database, ending }: { database: Database; ending?: AbortSignal },
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  for (;;) {
    const marks = await findUnjudgedSignatures(database.db, orgId, domainId);
    if (marks.length === 0) return;
    for (let after: ReportPlace = null; ;) {
      throwIfEnding(ending, 'The selectors are judged later.');
      const { reportIds, next }: SignedPage = await findReportsToClassify(
        database.db,
        { orgId, domainId, after },
        marks,
      );
      await transact(database, (session) => classifyAgain(session, orgId, reportIds));
      if (next === null) break;
      after = next;
    }
    await transact(database, (session) => finishSignatures(session, orgId, domainId, marks));
  }
}
