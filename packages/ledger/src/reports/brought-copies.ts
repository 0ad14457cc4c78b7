import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { HAS_BYTES } from './improve-statements.ts';
import { findHeldCopies, type HeldContent, type HeldRow, toHeldContent } from './improve-copies.ts';

/** A stored copy of an aggregate report, and a delivery that brought it. */
export interface BroughtCopy extends HeldContent {
  messageId: string;
}

/** Returns the copies that these deliveries brought, by what they ended with when they were read last. */
export async function findBroughtCopies(
  session: Session,
  orgId: string,
  messageIds: readonly string[],
): Promise<BroughtCopy[]> {
  if (messageIds.length === 0) return [];
  const { rows: contents } = await sql<{ messageId: string; sha256: Buffer; reportIds: string[] }>`
    select distinct m.id as "messageId", decode(part.sha256, 'hex') as sha256,
      array(select id from jsonb_to_recordset(part.reports) as report (id text)) as "reportIds"
    from raw_message m
      cross join lateral jsonb_to_recordset(m.parts) as part (sha256 text, kind text, outcome text, reports jsonb)
    where m.org_id = ${orgId} and m.id = any(${messageIds}::uuid[]) and part.outcome in ('stored', 'duplicate')
      and part.sha256 is not null and coalesce(part.kind, 'rua') = 'rua'`.execute(session.db);
  const repeated = contents.filter(({ reportIds }) => reportIds.length === 0).map(({ sha256 }) => sha256);
  const copies = [
    ...(await findNamed(session, orgId, contents)),
    ...(repeated.length > 0 ? await findHeldCopies(session, orgId, repeated) : []),
  ];
  const byContent = Map.groupBy(copies, ({ payloadSha256 }) => payloadSha256.toString('hex'));
  return contents.flatMap(({ messageId, sha256, reportIds }) =>
    (byContent.get(sha256.toString('hex')) ?? [])
      .filter(({ reportId }) => reportIds.length === 0 || reportIds.includes(reportId))
      .map((copy) => ({ ...copy, messageId })),
  );
}

/** The copies of reports that are named with their contents. */
async function findNamed(
  { db }: Session,
  orgId: string,
  contents: readonly { sha256: Buffer; reportIds: readonly string[] }[],
): Promise<HeldContent[]> {
  const named = contents.flatMap(({ sha256, reportIds }) => reportIds.map((id) => ({ id, sha256 })));
  if (named.length === 0) return [];
  const { rows } = await sql<HeldRow>`
    select distinct on (v.report_id, v.payload_sha256) v.report_id, v.payload_sha256, v.authenticated,
      v.mail_received_at, v.unproven, r.metadata, ${sql.raw(HAS_BYTES)} as has_bytes
    from unnest(${named.map(({ id }) => id)}::uuid[], ${named.map(({ sha256 }) => sha256)}::bytea[]) as k (id, sha256)
      join report_revision v on v.org_id = ${orgId} and v.report_id = k.id and v.payload_sha256 = k.sha256
      join report r on r.org_id = v.org_id and r.id = v.report_id`.execute(db);
  return rows.map(toHeldContent);
}
