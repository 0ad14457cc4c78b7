import {
  findSignatureEvidence,
  findUnjudged,
  finishJudgement,
  holdVersions,
  keepJudging,
  recordsOf,
  saveClasses,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { classifyRecord } from '@dmarc-ledger/dmarc';
import { throwIfEnding } from '../interruption.ts';
import { ofPage } from './of-page.ts';
import { knownFacts } from '../sources/known-facts.ts';

/**
 * Gives every failing record of aligned reports its class, by what is now known of its source, and updates the rollups.
 * Later findings judge it again. Running it again changes nothing.
 *
 * @throws {QueueError} `job_interrupted` when the worker ends before the last page.
 */
export async function classifyReports(
  { database, ending }: { database: Database; ending?: AbortSignal },
  { orgId, reportIds }: { orgId: string; reportIds: string[] },
): Promise<void> {
  const waiting = await findUnjudged(database.db, orgId, reportIds, 'classify');
  if (waiting.length === 0) return;
  const ids = waiting.map(({ id }) => id);
  for await (const page of recordsOf(database.db, orgId, ids, 'failing')) {
    throwIfEnding(ending, 'The reports are classified later.');
    const facts = await knownFacts(database, orgId, new Set(page.map(({ record }) => record.sourceIp)));
    await transact(database, async (session) => {
      const held = await holdVersions(session, orgId, ofPage(waiting, page));
      const kept = page.filter(({ reportId }) => held.has(reportId));
      const signatures = await findSignatureEvidence(session.db, orgId, kept);
      const judged = kept.flatMap((stored) => {
        const { reportId, position, day, record, alignment } = stored;
        const classified = classifyRecord(record, alignment, facts.of(record.sourceIp), signatures.of(stored));
        const isStored = classified.class === stored.class && classified.isProved === stored.isProved;
        return isStored ? [] : [{ reportId, position, day, ...classified }];
      });
      await saveClasses(session, orgId, judged);
      await keepJudging(session, orgId, ids);
    });
    await facts.recheck();
  }
  await transact(database, (session) => finishJudgement(session, orgId, waiting));
}
