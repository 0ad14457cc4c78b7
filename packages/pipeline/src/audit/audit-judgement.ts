import { isDeepStrictEqual } from 'node:util';
import { findSignatureEvidence, judgedRecords } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { alignRecord, classifyRecord, type OrganizationalDomain, type RecordClass } from '@dmarc-ledger/dmarc';
import { findFacts } from '../sources/known-facts.ts';

/** The number of judged failing records that were judged again, and the reports in which a judgement differs. */
export interface JudgementAudit {
  checked: number;
  differing: number;
  /** At most the first hundred reports with a differing record. */
  reports: string[];
  /** At most the first hundred differing records: the stored class, and the one that follows from what is known now. */
  records: DifferingRecord[];
}

/** The class is null where none is stored, and the same twice where the alignment differs. */
interface DifferingRecord {
  report: string;
  position: number;
  stored: RecordClass | null;
  found: RecordClass | null;
}

const NAMED = 100;

/**
 * Judges every failing record of an organization again by the facts known now, and compares the alignment and the class
 * with the stored ones. Writes nothing. Runs on one snapshot, so it may run beside other work.
 */
export async function auditJudgement(
  { database, organizationalDomain }: { database: Database; organizationalDomain: OrganizationalDomain },
  orgId: string,
): Promise<JudgementAudit> {
  const reports = new Set<string>();
  const records: DifferingRecord[] = [];
  let checked = 0;
  let differing = 0;
  // not `transact`: it has no snapshot, and its second run would count the records again
  await database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      for await (const page of judgedRecords(db, orgId)) {
        const facts = await findFacts(db, orgId, [...new Set(page.map(({ record }) => record.sourceIp))]);
        const realigned = page.map((stored) => ({
          stored,
          judged: { ...stored, alignment: alignRecord(stored.record, stored.policy, organizationalDomain) },
        }));
        const evidence = await findSignatureEvidence(
          db,
          orgId,
          realigned.map(({ judged }) => judged),
        );
        for (const { stored, judged } of realigned) {
          checked += 1;
          const { record, alignment, reportId } = judged;
          const found = classifyRecord(record, alignment, facts.get(record.sourceIp), evidence.of(judged));
          const isAlike = found.class === stored.class && found.isProved === stored.isProved;
          if (isAlike && isDeepStrictEqual(alignment, stored.alignment)) continue;
          differing += 1;
          if (reports.size < NAMED) reports.add(reportId);
          const { position } = stored;
          if (records.length < NAMED)
            records.push({ report: reportId, position, stored: stored.class, found: found.class });
        }
      }
    });
  return { checked, differing, reports: [...reports], records };
}
