import type { Db, DomainEvidenceTable } from '@dmarc-ledger/schema';

export type EvidenceSubject = DomainEvidenceTable['subject'];

/** What a check found in detail about one subject; `body` has the shape that `dns-records` gives it. */
export interface StoredEvidence {
  subject: EvidenceSubject;
  body: unknown;
  readAt: Date;
}

/** Returns the stored evidence of a domain about these subjects. */
export async function findEvidence(
  db: Db,
  orgId: string,
  domainId: string,
  subjects: readonly EvidenceSubject[],
): Promise<StoredEvidence[]> {
  return await db
    .selectFrom('domain_evidence')
    .select(['subject', 'body', 'read_at as readAt'])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('subject', 'in', subjects)
    .execute();
}
