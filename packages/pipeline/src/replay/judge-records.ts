import {
  alignRecord,
  classifyRecord,
  findContradictions,
  isCompliant,
  type Contradiction,
  type OrganizationalDomain,
  type PolicyPublished,
  type RecordAlignment,
  type RecordClass,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import type { Database } from '@dmarc-ledger/schema';
import { knownFacts } from '../sources/known-facts.ts';

export interface JudgeNeeds {
  database: Database;
  organizationalDomain: OrganizationalDomain;
}

export interface Judgement {
  alignment: RecordAlignment;
  contradictions: Contradiction[];
  class: RecordClass;
}

/** The current alignment and class of records, in their order; writes nothing. */
export async function judgeRecords(
  { database, organizationalDomain }: JudgeNeeds,
  orgId: string,
  policy: PolicyPublished,
  records: readonly ReportRecord[],
): Promise<Judgement[]> {
  const failing = records.filter(({ policyEvaluated }) => !isCompliant(policyEvaluated));
  const facts = await knownFacts(database, orgId, new Set(failing.map(({ sourceIp }) => sourceIp)));
  return records.map((record) => {
    const alignment = alignRecord(record, policy, organizationalDomain);
    return {
      alignment,
      contradictions: [...findContradictions(record, alignment, policy)],
      class: isCompliant(record.policyEvaluated)
        ? 'authenticated'
        : classifyRecord(record, alignment, facts.of(record.sourceIp)),
    };
  });
}
