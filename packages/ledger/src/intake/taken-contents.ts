import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A content that was accepted. */
export interface TakenContent {
  /** The delivery that brought it. */
  messageId: string;
  /** True if it is a report of another kind (no aggregate report) whose mail failed DMARC. */
  isFailed: boolean;
}

/**
 * Returns those of these contents (SHA-256 in hex) that were accepted. Refused contents are read again, and those of a
 * delivery of which only some domains were taken: there may be more in them.
 */
export async function findTakenContents(
  db: Db,
  orgId: string,
  sha256s: readonly string[],
): Promise<Map<string, TakenContent>> {
  if (sha256s.length === 0) return new Map();
  const failed = (table: string) => sql`exists (
    select from ${sql.ref(table)} r where r.org_id = p.org_id and r.payload_sha256 = p.sha256 and not r.authenticated)`;
  const { rows } = await sql<TakenContent & { sha256: Buffer }>`
    select p.sha256, p.message_id as "messageId",
      ${failed('tlsrpt_report')} or ${failed('aprf_report')} or ${failed('failure_report')} as "isFailed"
    from payload p
    where p.org_id = ${orgId} and p.sha256 = any(${sha256s.map((hex) => Buffer.from(hex, 'hex'))})
      and p.outcome <> 'refused' and (
        select only_domains is null from raw_message m where m.org_id = p.org_id and m.id = p.message_id)`.execute(db);
  return new Map(rows.map(({ sha256, ...content }) => [sha256.toString('hex'), content]));
}
