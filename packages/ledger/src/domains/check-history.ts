import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A finding of the past, and the status of the one before it; null: there was none. */
export interface PastFinding {
  subject: string;
  at: Date;
  before: string | null;
  status: string;
  details: string;
  records: readonly string[];
}

/** Adds a finding of the past to the history of a domain. Adding it again changes nothing. */
export async function rememberCheck(db: Db, orgId: string, domain: string, finding: PastFinding): Promise<void> {
  const { subject, at, before, status, details, records } = finding;
  await sql`
    insert into domain_check_change (org_id, domain_id, id, subject, at, before, status, details, records)
    select d.org_id, d.id, gen_random_uuid(), ${subject}, ${at}, ${before}, ${status}, ${details}, ${records}::text[]
    from domain d where d.org_id = ${orgId} and d.name = ${domain} and not exists (
      select from domain_check_change c where c.org_id = d.org_id and c.domain_id = d.id
        and c.subject = ${subject} and c.at = ${at})`.execute(db);
}
