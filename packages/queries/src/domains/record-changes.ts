import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A change of what a domain publishes, with the records before and after it. */
export interface RecordChange {
  id: string;
  domain: string;
  subject: string;
  at: Date;
  status: string;
  details: string;
  records: string[];
  earlier: string[];
}

interface Question {
  since: Date;
  /** A protocol of each change must be among these. */
  subjects: readonly string[];
  domainId?: string | undefined;
}

/**
 * Returns how published records changed in an organization's domains, newest first: from one whole answer to the next,
 * whatever had no answer between them. A first finding is no change, and neither are DKIM keys that were published
 * before their selector was known.
 */
export async function findRecordChanges(
  db: Db,
  orgId: string,
  question: Question,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<RecordChange[]> {
  const { rows } = await sql<RecordChange>`
    select c.id, d.name as domain, c.subject, c.at, c.status, c.details, c.records,
      p.records as earlier
    from ${changes(orgId, question)} order by c.at desc, c.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The number of these changes. */
export async function countRecordChanges(db: Db, orgId: string, question: Question): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${changes(orgId, question)}`.execute(db);
  return rows[0]!.total;
}

/** Changes as `c`, of the domain `d`, each with the answer before it as `p`. */
function changes(orgId: string, { since, subjects, domainId }: Question) {
  const ofDomain = domainId === undefined ? sql`true` : sql`c.domain_id = ${domainId}`;
  return sql`domain_check_change c join domain d on d.org_id = c.org_id and d.id = c.domain_id
      cross join lateral (
        select records from domain_check_change e where e.org_id = c.org_id and e.domain_id = c.domain_id
          and e.subject = c.subject and e.at < c.at and not e.is_partial order by e.at desc limit 1) p
    where c.org_id = ${orgId} and ${ofDomain} and not c.is_partial
      and not (p.records @> c.records and c.records @> p.records)
      and not (c.subject = 'dkim' and p.records = '{}') and c.at >= ${since}
      and c.subject = any(${subjects}::text[])`;
}
