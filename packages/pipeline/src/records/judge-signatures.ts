import { classifyAgain, findReportsToClassify, findUnjudgedSignatures, finishSignatures } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';

/**
 * Has the failing records classified again that carry a selector which has begun, or ceased, to be evidence. Announces
 * the reports in groups, each in its own transaction; running it again is safe.
 */
export async function judgeSignatures(
  { database }: { database: Database },
  { orgId, domainId }: { orgId: string; domainId: string },
): Promise<void> {
  for (;;) {
    const marks = await findUnjudgedSignatures(database.db, orgId, domainId);
    if (marks.length === 0) return;
    for (const mark of marks) {
      for (let after: string | null = null; ;) {
        const found: string[] = await findReportsToClassify(database.db, { orgId, domainId, after }, mark);
        if (found.length === 0) break;
        await transact(database, (session) => classifyAgain(session, orgId, found));
        after = found.at(-1) ?? null;
      }
    }
    await transact(database, (session) => finishSignatures(session, orgId, domainId, marks));
  }
}
