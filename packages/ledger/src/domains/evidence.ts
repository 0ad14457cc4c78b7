import type { EvidenceSubject } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** The evidence that a check has found: the body of each subject. A subject without one keeps what is stored. */
export type NewEvidence = { [subject in EvidenceSubject]?: unknown };

/** Replaces the evidence of a domain by that of a newer check. */
export async function saveEvidence(
  db: Db,
  { orgId, domainId }: { orgId: string; domainId: string },
  evidence: NewEvidence,
  readAt: Date,
): Promise<void> {
  const rows = Object.entries(evidence).map(([subject, body]) => ({ subject, body }));
  if (rows.length === 0) return;
  await sql`
    insert into domain_evidence (org_id, domain_id, subject, body, read_at)
    select ${orgId}, ${domainId}, subject, body, ${readAt}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (subject text, body jsonb) order by subject
    on conflict (org_id, domain_id, subject) do update set body = excluded.body, read_at = excluded.read_at`.execute(
    db,
  );
}
