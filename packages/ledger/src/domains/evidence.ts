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
    insert into domain_evidence (org_id, domain_id, subject, body, read_at, spf_targets)
    select ${orgId}, ${domainId}, subject, body, ${readAt}, case subject when 'spf_tree' then ${spfTargets} end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (subject text, body jsonb) order by subject
    on conflict (org_id, domain_id, subject) do update
      set body = excluded.body, read_at = excluded.read_at, spf_targets = excluded.spf_targets`.execute(db);
}

/** The names whose records a tree refers to, at any depth. Terms that are never reached need none. */
const spfTargets = sql`array(
  select distinct rtrim(t.value, '.') from jsonb_array_elements_text(jsonb_path_query_array(body,
    'strict $.** ? ((@.name == "include" || @.name == "redirect") && @.state != "ignored").target'
  )) t (value) where t.value is not null)`;
