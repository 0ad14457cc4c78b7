import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A content that was accepted. */
export interface TakenContent {
  /** The delivery that brought it. */
  messageId: string;
  /** True for a report of another kind (no aggregate report) that only mail has brought which does not prove it. */
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
  const rows = await db
    .selectFrom('payload')
    .select(['sha256', 'message_id as messageId', 'failed as isFailed'])
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${sha256s.map((hex) => Buffer.from(hex, 'hex'))})`)
    .where('outcome', '<>', 'refused')
    .where(sql<boolean>`(select only_domains is null from raw_message m where m.org_id = payload.org_id
      and m.id = payload.message_id)`)
    .execute();
  return new Map(rows.map(({ sha256, ...content }) => [sha256.toString('hex'), content]));
}
