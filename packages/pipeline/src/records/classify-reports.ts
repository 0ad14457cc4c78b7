import {
  findUnjudged,
  finishJudgement,
  keepJudging,
  recordsOf,
  saveClasses,
  transact,
  type Database,
} from '@dmarc-ledger/db';
import { classifyRecord, type SourceFacts } from '@dmarc-ledger/dmarc';

export interface ClassifyNeeds {
  database: Database;
  /** What is known about sources, by canonical address. What is not in it is not known. */
  factsOf: (sourceIps: ReadonlySet<string>) => Promise<ReadonlyMap<string, SourceFacts>>;
}

/** Gives every failing record of aligned reports its class, and moves the rollups by it. Again changes nothing. */
export async function classifyReports(
  { database, factsOf }: ClassifyNeeds,
  { orgId, reportIds }: { orgId: string; reportIds: string[] },
): Promise<void> {
  const waiting = await findUnjudged(database.db, orgId, reportIds, 'classify');
  if (waiting.length === 0) return;
  const ids = waiting.map(({ id }) => id);
  for await (const page of recordsOf(database.db, orgId, ids, 'failing')) {
    const facts = await factsOf(new Set(page.map(({ record }) => record.sourceIp)));
    const judged = page.map(({ reportId, position, day, record, alignment }) => ({
      reportId,
      position,
      day,
      class: classifyRecord(record, alignment, facts.get(record.sourceIp)),
    }));
    await transact(database, async (session) => {
      await saveClasses(session, orgId, judged);
      await keepJudging(session, orgId, ids);
    });
  }
  await transact(database, (session) => finishJudgement(session, orgId, waiting));
}
