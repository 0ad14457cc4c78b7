import {
  classifyAgain,
  findReportsToClassify,
  findUnjudgedSignatures,
  finishSignatures,
  type ReportCursor,
  type SignedPage,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { Pace } from '../pace.ts';
import { throwIfEnding } from '../interruption.ts';

/**
 * Has the failing records classified again that carry a selector which has begun, or ceased, to be evidence. Announces
 * the reports in groups, each in its own transaction; running it again is safe. It reads all failing mail of months,
 * and any report may name new selectors, so its repetitions are spaced: the marks wait, and are searched for together.
 *
 * @throws {QueueError} `job_interrupted` when the worker ends before the last group.
 */
export async function judgeSignatures(
  { database, ending, pace = new Pace() }: { database: Database; ending?: AbortSignal; pace?: Pace },
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  while (pace.isDue(domainId)) {
    const begun = pace.now();
    const marks = await findUnjudgedSignatures(database.db, orgId, domainId);
    if (marks.length === 0) return;
    for (let after: ReportCursor = null; ;) {
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
    pace.ended(domainId, pace.now() - begun);
  }
}
