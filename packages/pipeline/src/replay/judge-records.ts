import {
  alignRecord,
  classifyRecord,
  findContradictions,
  isCompliant,
  type Contradiction,
  type OrganizationalDomain,
  type PolicyPublished,
  type Classification,
  type RecordAlignment,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import { findSignatureEvidence } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { knownFacts } from '../sources/known-facts.ts';

export interface JudgeNeeds {
  database: Database;
  organizationalDomain: OrganizationalDomain;
}

export interface Judgement extends Classification {
  alignment: RecordAlignment;
  contradictions: Contradiction[];
}

/** Where the records of a report count. */
export interface ReportPlace {
  /** Undefined for a domain that the ledger does not have yet. */
  domainId: string | undefined;
  day: string;
}

/** The current alignment and class of records, in their order; writes nothing. */
export async function judgeRecords(
  { database, organizationalDomain }: JudgeNeeds,
  orgId: string,
  { policy, place }: { policy: PolicyPublished; place: ReportPlace },
  records: readonly ReportRecord[],
): Promise<Judgement[]> {
  const failing = records.filter(({ policyEvaluated }) => !isCompliant(policyEvaluated));
  const facts = await knownFacts(database, orgId, new Set(failing.map(({ sourceIp }) => sourceIp)));
  const aligned = records.map((record) => {
    return { ...place, record, alignment: alignRecord(record, policy, organizationalDomain) };
  });
  const signatures = await findSignatureEvidence(
    database.db,
    orgId,
    aligned.filter(({ record }) => !isCompliant(record.policyEvaluated)),
  );
  return aligned.map((one) => ({
    alignment: one.alignment,
    contradictions: [...findContradictions(one.record, one.alignment, policy)],
    ...classifyRecord(one.record, one.alignment, facts.of(one.record.sourceIp), signatures.of(one)),
  }));
}
