import type { Session } from '@dmarc-ledger/schema';
import type { ListedSeverity } from '@dmarc-ledger/scoring';
import { sql } from 'kysely';

/** The state to store for a source that was judged. */
export interface LookedAt {
  ip: string;
  listed: { severity: ListedSeverity; at: Date } | undefined;
  /** When to judge again; undefined: on the next change. */
  lookAt: Date | undefined;
}

/** Ends the judgement of sources; those that need a second one wait for it. */
export async function finishLook({ db }: Session, orgId: string, domainId: string, looked: readonly LookedAt[]) {
  if (looked.length === 0) return;
  const rows = looked.map(({ ip, listed, lookAt }) => ({
    ip,
    severity: listed?.severity ?? null,
    at: listed?.at.toISOString() ?? null,
    due: lookAt?.toISOString() ?? null,
  }));
  await sql`
    with looked as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as l (ip inet, severity text, at timestamptz,
        due timestamptz)
    ), done as (
      delete from event_source s using looked l
      where s.org_id = ${orgId} and s.domain_id = ${domainId} and s.source_ip = l.ip and l.due is null
    )
    update event_source s set due_at = l.due, listed_severity = l.severity, listed_at = l.at from looked l
    where s.org_id = ${orgId} and s.domain_id = ${domainId} and s.source_ip = l.ip and l.due is not null`.execute(db);
}
