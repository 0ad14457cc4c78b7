import type { ReportHeader, ReportSums } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import { warningText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A stored, counted report without its records. */
export interface StoredReport {
  id: string;
  identity: Buffer;
  payloadSha256: Buffer;
  version: number;
  /** The delivery that brought the counted copy first, and what all of its mails say. */
  messageId: string;
  authenticated: boolean | null;
  /** Whether every mail that brought the counted content failed as the reporter's. */
  isUnauthenticated: boolean;
  header: ReportHeader;
  sums: ReportSums;
  /** The name of the reporter that it counts for. */
  reporter: string;
  /** The warnings of reading and of judging, each as text. */
  warnings: { reading: string[]; judging: string[] };
}

/** Returns the stored reports with these identities or ids. */
export async function findStored(
  db: Db,
  orgId: string,
  by: { identities: readonly Buffer[] } | { ids: readonly string[] },
): Promise<StoredReport[]> {
  const wanted = 'ids' in by ? sql`r.id = any(${by.ids}::uuid[])` : sql`r.identity = any(${by.identities}::bytea[])`;
  const { rows } = await sql<StoredRow>`
    select r.id, r.identity, r.payload_sha256, r.version, v.message_id, v.authenticated, r.unauthenticated,
      r.metadata, r.policy, n.name as reporter, r.records, r.messages, r.compliant,
      r.spf_pass, r.dkim_pass, r.spf_only, r.dkim_only, r.both_failed,
      (select json_agg(json_build_object('code', code, 'detail', detail, 'position', position) order by position)
        from parse_warning where org_id = r.org_id and report_id = r.id) as warnings
    from report r join report_revision v
      on v.org_id = r.org_id and v.report_id = r.id and v.payload_sha256 = r.payload_sha256
      join reporter n on n.org_id = r.org_id and n.id = r.reporter_id
    where r.org_id = ${orgId} and ${wanted}`.execute(db);
  return rows.map(toStored);
}

interface StoredRow {
  id: string;
  identity: Buffer;
  payload_sha256: Buffer;
  version: number;
  message_id: string;
  authenticated: boolean | null;
  unauthenticated: boolean | null;
  metadata: ReportHeader['metadata'];
  policy: ReportHeader['policyPublished'];
  reporter: string;
  records: number;
  messages: number;
  compliant: number;
  spf_pass: number;
  dkim_pass: number;
  spf_only: number;
  dkim_only: number;
  both_failed: number;
  warnings: { code: string; detail: string | null; position: number }[] | null;
}

const JUDGING_AT = 1_000;
const MAIL_AT = 1_900;

function toStored(row: StoredRow): StoredReport {
  const texts = (from: number, to: number) =>
    (row.warnings ?? []).filter(({ position }) => position >= from && position < to).map(warningText);
  return {
    id: row.id,
    identity: row.identity,
    payloadSha256: row.payload_sha256,
    version: row.version,
    messageId: row.message_id,
    authenticated: row.authenticated,
    isUnauthenticated: row.unauthenticated === true,
    header: { metadata: row.metadata, policyPublished: row.policy },
    reporter: row.reporter,
    sums: {
      records: row.records,
      messages: row.messages,
      compliant: row.compliant,
      spfPass: row.spf_pass,
      dkimPass: row.dkim_pass,
      spfOnly: row.spf_only,
      dkimOnly: row.dkim_only,
      bothFailed: row.both_failed,
    },
    warnings: { reading: texts(0, JUDGING_AT), judging: texts(JUDGING_AT, MAIL_AT) },
  };
}
