import { countedReporter, noSums } from '@dmarc-ledger/dmarc';
import { isDeepStrictEqual } from 'node:util';
import { recordsOf, type StoredReport } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { WarningList, warningText, type Warning, present } from '@dmarc-ledger/vocabulary';
import { areEqualDigests, digestRecords } from '../intake/copy-digests.ts';
import { summing } from '../intake/report-copy.ts';
import type { Reread } from '../intake/reread-copy.ts';
import { storedRecords } from '../intake/stored-records.ts';
import { judgeRecords, type JudgeNeeds } from './judge-records.ts';

/** How a stored report differs from the current reading: in what was read, or only in how it is judged. */
export type Difference = 'none' | 'judgement' | 'facts';

export async function compareReport(
  needs: JudgeNeeds,
  orgId: string,
  stored: StoredReport,
  reread: Reread,
): Promise<Difference> {
  const { db } = needs.database;
  if (!(await hasSameFacts(db, orgId, stored, reread))) return 'facts';
  return (await isJudgedAlike(needs, orgId, stored)) ? 'none' : 'judgement';
}

/** Header, reporter, sums, records and warnings. The order of records does not matter. */
async function hasSameFacts(db: Db, orgId: string, stored: StoredReport, reread: Reread): Promise<boolean> {
  const header: unknown = JSON.parse(JSON.stringify(reread.header)); // as the database returns it
  if (!isDeepStrictEqual(header, stored.header)) return false;
  if (countedReporter(reread.header.metadata).name !== stored.reporter) return false;
  const sums = noSums();
  const today = await digestRecords(summing(reread.records(), sums));
  if (!isDeepStrictEqual(sums, stored.sums)) return false;
  if (!isSameTexts(reread.warnings(), stored.warnings.reading)) return false;
  return areEqualDigests(today, await digestRecords(storedRecords(db, orgId, stored.id)));
}

async function isJudgedAlike(needs: JudgeNeeds, orgId: string, stored: StoredReport): Promise<boolean> {
  const findings = new WarningList();
  const { policyPublished } = stored.header;
  for await (const page of recordsOf(needs.database.db, orgId, [stored.id], 'all')) {
    const judged = await judgeRecords(
      needs,
      orgId,
      { policy: policyPublished, place: present(page[0]) },
      page.map(({ record }) => record),
    );
    for (const [i, { alignment, contradictions, class: named, isProved }] of judged.entries()) {
      const { alignment: before, class: namedBefore, position, ...stored } = present(page[i]);
      if (named !== namedBefore || isProved !== stored.isProved || !isDeepStrictEqual(alignment, before)) return false;
      for (const code of contradictions) findings.add(code, null, position);
    }
  }
  return isSameTexts(findings.toArray(), stored.warnings.judging);
}

function isSameTexts(warnings: readonly Warning[], texts: readonly string[]): boolean {
  return isDeepStrictEqual(warnings.map(warningText).toSorted(), texts.toSorted());
}
