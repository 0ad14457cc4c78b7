import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { claimedColumns, type ClaimedMessage, toClaimed } from '../intake/claimed-message.ts';
import { readWithoutLoops } from './without-loops.ts';

/** A counted copy of a report, with the delivery that holds its raw bytes. */
export interface SampledCopy {
  reportId: string;
  identity: Buffer;
  document: string;
  payloadSha256: Buffer;
  message: ClaimedMessage;
}

/** Returns some reports of an organization, in no order, with the counted copy of each. */
export async function sampleCopies(db: Db, orgId: string, limit: number): Promise<SampledCopy[]> {
  const rows = await readWithoutLoops(db, (trx) => findSample(trx, orgId, limit));
  return rows.map((row) => ({
    reportId: row.report_id,
    identity: row.identity,
    document: row.document,
    payloadSha256: row.payload_sha256,
    message: toClaimed(row),
  }));
}

async function findSample(db: Db, orgId: string, limit: number) {
  return await db
    .selectFrom('report as r')
    .innerJoin('report_revision as v', (join) =>
      join
        .onRef('v.org_id', '=', 'r.org_id')
        .onRef('v.report_id', '=', 'r.id')
        .onRef('v.payload_sha256', '=', 'r.payload_sha256'),
    )
    .innerJoin('raw_message as m', (join) => join.onRef('m.org_id', '=', 'v.org_id').onRef('m.id', '=', 'v.message_id'))
    .select(['r.id as report_id', 'r.identity', 'v.document', 'v.payload_sha256'])
    .select(claimedColumns.map((column) => `m.${column}` as const))
    .where('r.org_id', '=', orgId)
    .where('r.records', '<', 50_000)
    .where('m.bytes_purged_at', 'is', null)
    .orderBy(sql`md5(r.id::text || ${String(Math.random())})`)
    .limit(limit)
    .execute();
}
