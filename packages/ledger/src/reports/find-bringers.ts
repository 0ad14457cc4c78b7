import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { Db, MessageSource } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { IS_REPEATING, MOST_REPEATS } from './repeats.ts';

/** A stored copy of a report. */
export interface StoredCopy {
  reportId: string;
  payloadSha256: Buffer;
}

/** A delivery that brought a copy, and what was recorded of its mail when it was read last. */
export interface Bringer {
  messageId: string;
  source: MessageSource;
  mailFacts: MailFacts | null;
  /** True for the delivery that the copy is read from. */
  isFirst: boolean;
}

export function storedCopyText({ reportId, payloadSha256 }: StoredCopy): string {
  return `${reportId} ${payloadSha256.toString('hex')}`;
}

/**
 * Returns the ended deliveries that brought these copies, by `storedCopyText`: the first, and up to 1,000 that repeat
 * it.
 */
export async function findBringers(
  db: Db,
  orgId: string,
  copies: readonly StoredCopy[],
): Promise<Map<string, Bringer[]>> {
  if (copies.length === 0) return new Map();
  const reportIds = copies.map(({ reportId }) => reportId);
  const payloads = copies.map(({ payloadSha256 }) => payloadSha256);
  const { rows } = await sql<BringerRow>`
    with k as materialized (
      select v.org_id, v.report_id, v.payload_sha256, encode(v.payload_sha256, 'hex') as hex, v.message_id
      from unnest(${reportIds}::uuid[], ${payloads}::bytea[]) as c (report_id, payload)
        join report_revision v on v.org_id = ${orgId} and v.report_id = c.report_id and v.payload_sha256 = c.payload
    )
    select k.report_id, k.payload_sha256, k.message_id = m.id as is_first, m.id, m.source, m.mail_facts
    from k join raw_message m on m.org_id = ${orgId} and m.id = k.message_id
    union all
    select k.report_id, k.payload_sha256, false, m.id, m.source, m.mail_facts
    from k cross join lateral (
        select m.id, m.source, m.mail_facts from raw_message m
        where ${IS_REPEATING} and m.id <> k.message_id limit ${MOST_REPEATS}) m`.execute(db);
  const brought = Map.groupBy(rows, (row) =>
    storedCopyText({ reportId: row.report_id, payloadSha256: row.payload_sha256 }),
  );
  return new Map(
    [...brought].map(([key, of]) => [
      key,
      of.map((row) => ({
        messageId: row.id,
        source: row.source,
        mailFacts: row.mail_facts,
        isFirst: row.is_first,
      })),
    ]),
  );
}

interface BringerRow {
  report_id: string;
  payload_sha256: Buffer;
  is_first: boolean;
  id: string;
  source: MessageSource;
  mail_facts: MailFacts | null;
}
